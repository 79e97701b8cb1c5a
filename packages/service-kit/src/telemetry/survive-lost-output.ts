/** Keeps the process running if the reader of its output has ended, or the disk for it is full. */
export function surviveLostOutput(): void {
  // There is nowhere to report the error.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
}
