import { SpeechError } from '@vaani/speech'
import { createAudioDecoder } from './audio-decoder.ts'
import type { CheckedOptions } from './options.ts'
import { readRetryAfterMs, type Refusal, toRefusal } from './refusal.ts'

/** A response that failed before its audio. */
export class RefusedError extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.error.message, { cause: refusal.error })
    this.refusal = refusal
  }
}

/** A segment of 200 characters lasts some seconds. A server that never stops must not be heard forever. */
const MAX_SECONDS = 300
/** Content that would be heard as noise. Other types are not trusted: servers send WAV as `audio/mpeg`, and pcm as anything. */
const NO_AUDIO = /^(?:text\/|application\/json)/

/**
 * Sends one request and yields its samples as they arrive. Ending the iteration closes the connection.
 *
 * @throws RefusedError before the first sample, if the response or the connection failed
 * @throws SpeechError `engine_failed` after it, or if a time limit was exceeded; the reason of `signal` if it aborts
 */
export async function* receiveAudio(
  options: CheckedOptions,
  body: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): AsyncGenerator<Int16Array, void, undefined> {
  const { url, headers, sampleRateHz, firstAudioTimeoutMs, chunkTimeoutMs } = options
  const over = new AbortController()
  let timer: NodeJS.Timeout | undefined
  /** Limits the waits from now on; the time that the reader takes does not count. */
  const limit = (ms: number, problem: string) => {
    clearTimeout(timer)
    timer = setTimeout(() => over.abort(new SpeechError('engine_failed', `${problem} within ${ms} ms`)), ms)
  }
  let seconds = 0
  try {
    limit(firstAudioTimeoutMs, 'The speech server sent no audio')
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      // A redirect is not followed, because it would pass the text on to another server.
      redirect: 'manual',
      signal: AbortSignal.any([signal, over.signal]),
    })
    if (response.status !== 200)
      throw new RefusedError(toRefusal(response.status, readRetryAfterMs(response.headers, Date.now())))
    if (NO_AUDIO.test(response.headers.get('content-type') ?? ''))
      throw new SpeechError('engine_failed', 'The speech server sent text')
    const decoder = createAudioDecoder(sampleRateHz)
    for await (const bytes of response.body ?? []) {
      const samples = decoder.push(bytes)
      if (samples.length === 0) continue
      clearTimeout(timer)
      seconds += samples.length / sampleRateHz
      if (seconds > MAX_SECONDS)
        throw new SpeechError('engine_failed', `The speech server sent more than ${MAX_SECONDS} s of audio`)
      yield samples
      limit(chunkTimeoutMs, 'The speech server sent no more audio')
    }
    const rest = decoder.end()
    if (rest.length > 0) yield rest
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (over.signal.aborted) throw over.signal.reason
    if (error instanceof RefusedError || error instanceof SpeechError) throw error
    const failed = new SpeechError('engine_failed', 'The connection to the speech server failed', {
      cause: error,
    })
    throw seconds > 0 ? failed : new RefusedError({ error: failed, isRetryable: true })
  } finally {
    clearTimeout(timer)
    // Closes the connection unless the response was read to its end.
    over.abort()
  }
}
