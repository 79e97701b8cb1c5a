/** Joins frames of samples. */
export function joined(frames: readonly Int16Array[]): Int16Array<ArrayBuffer> {
  const samples = new Int16Array(frames.reduce((length, frame) => length + frame.length, 0))
  let at = 0
  for (const frame of frames) {
    samples.set(frame, at)
    at += frame.length
  }
  return samples
}
