/** Lets the process go on if whoever reads its output has ended, or the disk that it goes to is full. */
export function surviveLostOutput(): void {
  // There is nowhere left to report it.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
}
