/**
 * Fades sound in over its first samples and out over its last ones, so that it joins to silence or to other sound without a
 * click. Passes on as many samples as it takes. Half of a sound that is shorter than both fades is faded in, the rest out.
 */
export async function* fadeEdges(
  chunks: AsyncIterable<Int16Array>,
  fadeSamples: number,
): AsyncGenerator<Int16Array, void, undefined> {
  let taken = 0
  /** The last samples so far, which may have to be faded out. */
  let held = new Int16Array(0)
  for await (const chunk of chunks) {
    const samples = new Int16Array(held.length + chunk.length)
    samples.set(held)
    samples.set(chunk, held.length)
    const ready = Math.max(0, samples.length - 2 * fadeSamples)
    held = samples.slice(ready)
    if (ready === 0) continue
    const head = samples.slice(0, ready)
    fadeIn(head, taken, fadeSamples)
    taken += ready
    yield head
  }
  if (held.length === 0) return
  const length = Math.min(fadeSamples, Math.floor((taken + held.length) / 2))
  fadeIn(held, taken, length)
  for (let index = 0; index < length; index++) {
    const at = held.length - 1 - index
    held[at] = Math.round(((held[at] ?? 0) * index) / length)
  }
  yield held
}

/** Applies the part of a fade over the first `length` samples of a sound that begins `taken` samples into it. */
function fadeIn(samples: Int16Array, taken: number, length: number): void {
  for (let index = 0; index < Math.min(samples.length, length - taken); index++)
    samples[index] = Math.round(((samples[index] ?? 0) * (taken + index)) / length)
}
