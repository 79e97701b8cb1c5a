import type { SpeechEngine } from '@vaani/speech'
import { NEUTRAL, streamSpeech } from '@vaani/speech'
import { Pool } from 'undici'
import type { BenchServer } from './server.ts'

/** A sentence, and then minutes more: streams are left before their end. */
export const TEXT =
  'Namaste, this is a reminder of your appointment tomorrow at ten. Please bring your papers with you. ' +
  'If you cannot come, call the clinic before noon, and we will find another day. '.repeat(8)

/** Minutes of speech: more than the buffers of a connection hold. */
export const LONG_TEXT = TEXT.repeat(5)

/** Something that speaks a text. */
export interface Source {
  name: string
  /** Prepares for streams that begin at once. */
  prepare?(atOnce: number): Promise<void>
  /** Opens one stream of audio, by default of `TEXT`. Leaving the iteration ends it. */
  open(text?: string): AsyncIterable<Uint8Array>
}

/**
 * `POST /v1/audio/stream`. A stream that is left closes its connection, so each has a new one, unless some are opened in advance.
 *
 * @param opens - whether `prepare` opens connections
 */
export function httpSource(
  { url, key }: BenchServer,
  connections: number,
  { opens }: { opens: boolean },
): Source & AsyncDisposable {
  const pool = new Pool(url, { connections })
  const openConnection = async () => (await pool.request({ method: 'GET', path: '/healthz' })).body.dump()
  return {
    name: `POST /v1/audio/stream${opens ? '' : ', new connections'}`,
    async prepare(atOnce) {
      if (opens) await Promise.all(Array.from({ length: atOnce }, openConnection))
    },
    async *open(input = TEXT) {
      const { body, statusCode } = await pool.request({
        method: 'POST',
        path: '/v1/audio/stream',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'stream-tts', input, voice: 'nova', language: 'en-US' }),
      })
      if (statusCode !== 200) throw new Error(`The stream was answered ${statusCode}: ${await body.text()}`)
      yield* body
    },
    [Symbol.asyncDispose]: () => pool.destroy(),
  }
}

/** The library that the route uses, in this process. */
export const librarySource = (engine: SpeechEngine): Source => ({
  name: 'streamSpeech, no server',
  async *open(text = TEXT) {
    const options = { text, voice: 'nova', language: 'en-US', emotion: 'neutral', speed: 1 } as const
    for await (const frame of streamSpeech({ engine, ...options }))
      yield new Uint8Array(frame.buffer, frame.byteOffset, frame.byteLength)
  },
})

/** The engine alone: the first sentence, as it comes. */
export const engineSource = (engine: SpeechEngine): Source => ({
  name: 'the engine alone',
  async *open(text = TEXT) {
    const request = { text: `${text.split('.')[0]}.`, voice: 'nova', language: 'en-US', prosody: NEUTRAL }
    for await (const samples of engine.synthesize(request, { priority: 'first' }))
      yield new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)
  },
})
