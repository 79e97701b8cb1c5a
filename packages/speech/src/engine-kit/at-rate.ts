import { createResampler } from '@vaani/pcm-audio'

/** Resamples chunks as they pass. Samples that have the rate already pass unchanged. */
export async function* atRate(
  chunks: AsyncIterable<Int16Array>,
  rates: { fromHz: number; toHz: number },
): AsyncGenerator<Int16Array, void, undefined> {
  if (rates.fromHz === rates.toHz) return yield* chunks
  const resampler = createResampler(rates)
  for await (const chunk of chunks) yield resampler.push(chunk)
  yield resampler.flush()
}
