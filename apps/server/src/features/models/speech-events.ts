import { toEvent } from '@vaani/service-kit/http/connection/event-stream'
import type { SpeechEvent } from '@vaani/contracts'

/** Frames of 20 ms, as which the usage counts audio. */
const FRAMES_PER_SECOND = 50

/**
 * Writes audio as server-sent events while it arrives. We have no tokens, so the usage counts characters and frames.
 *
 * @param characters of the input
 */
export async function* speechEvents(
  audio: AsyncGenerator<Uint8Array, { durationSeconds: number }>,
  characters: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for (let result = await audio.next(); ; result = await audio.next()) {
      if (result.done !== true) {
        yield write({ type: 'speech.audio.delta', audio: Buffer.from(result.value).toString('base64') })
        continue
      }
      const frames = Math.round(result.value.durationSeconds * FRAMES_PER_SECOND)
      const usage = { input_tokens: characters, output_tokens: frames, total_tokens: characters + frames }
      yield write({ type: 'speech.audio.done', usage })
      return
    }
  } finally {
    await audio.return({ durationSeconds: 0 })
  }
}

const write = (event: SpeechEvent): Uint8Array => Buffer.from(toEvent(event))
