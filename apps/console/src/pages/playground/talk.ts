import type { RealtimeOptions, SynthesisSession } from '@vaani/client'
import { createPlayer, type Player } from '@vaani/pcm-audio/player'
import workletUrl from '@vaani/pcm-audio/player-worklet.js?worker&url'
import { vaani } from '../../session/session.ts'
import type { Emotion } from './speech-choices.tsx'
import { SAMPLE_RATE_HZ } from './use-speech.ts'

const SHOWN_EACH_MS = 100

/** What is heard, and how soon. */
export interface Heard {
  /** The phrase that is being said. */
  readonly phrase?: string | undefined
  /** From the last text that was sent in silence to the first sound. */
  readonly firstMs?: number
  /** From an interruption to silence. */
  readonly silentMs?: number
  /** From an interruption until the server confirms it. */
  readonly confirmedMs?: number
}

/** Opens a session whose speech is played. Within a click, without which browsers play nothing. */
export async function openTalk(options: RealtimeOptions, onHeard: (heard: Heard) => void): Promise<Talk> {
  const player = await createPlayer({
    sampleRateHz: SAMPLE_RATE_HZ,
    workletUrl: new URL(workletUrl, location.href),
  })
  try {
    return new Talk(await vaani.realtime.synthesize(options), player, onHeard)
  } catch (error) {
    await player.close()
    throw error
  }
}

/** A session that speaks while text is typed. */
export class Talk implements AsyncDisposable {
  readonly #session: SynthesisSession
  readonly #player: Player
  readonly #onHeard: (heard: Heard) => void
  /** Where phrases begin in the audio of the session. */
  readonly #phrases: { text: string; atMs: number }[] = []
  /** How much of the audio of the session was never played. */
  #droppedMs = 0
  #sentAtMs = 0
  #interruptedAtMs = 0

  constructor(session: SynthesisSession, player: Player, onHeard: (heard: Heard) => void) {
    this.#session = session
    this.#player = player
    this.#onHeard = onHeard
  }

  speak(text: string): void {
    this.#session.speak(text)
    this.#sentAtMs = performance.now()
  }

  /** Also speaks an unfinished phrase. */
  flush(): void {
    this.#session.flush()
    this.#sentAtMs = performance.now()
  }

  setEmotion(emotion: Emotion): void {
    this.#session.setEmotion(emotion)
  }

  /** Stops what is being said. */
  interrupt(): void {
    const isHeard = this.#player.bufferedMs > 0
    this.#interruptedAtMs = performance.now()
    this.#player.flush()
    this.#session.cancel()
    if (isHeard) void this.#reportSilence(this.#interruptedAtMs)
  }

  close(): void {
    this.#session.close()
  }

  /** Plays the speech until the session is over. @throws the error of the session */
  async run(): Promise<void> {
    const timer = setInterval(() => this.#onHeard({ phrase: this.#phraseNow() }), SHOWN_EACH_MS)
    try {
      for await (const event of this.#session) {
        if (event.type === 'audio') this.#play(event.samples)
        if (event.type === 'mark' && event.kind === 'phrase')
          this.#phrases.push({ text: event.text, atMs: event.at_ms })
        if (event.type === 'canceled') {
          this.#droppedMs = event.at_ms - this.#player.playedMs
          this.#onHeard({ confirmedMs: performance.now() - this.#interruptedAtMs })
        }
      }
    } finally {
      clearInterval(timer)
    }
  }

  #play(samples: Int16Array<ArrayBuffer>): void {
    if (this.#player.bufferedMs === 0) this.#onHeard({ firstMs: performance.now() - this.#sentAtMs })
    this.#player.feed(samples)
  }

  #phraseNow(): string | undefined {
    if (this.#player.bufferedMs === 0) return undefined
    const heardMs = this.#droppedMs + this.#player.playedMs
    return this.#phrases.findLast(({ atMs }) => atMs <= heardMs)?.text
  }

  async #reportSilence(sinceMs: number): Promise<void> {
    await this.#player.drained()
    const { context } = this.#player.node
    // What the device was already given is heard in any case.
    const deviceSeconds = context instanceof AudioContext ? context.outputLatency : 0
    this.#onHeard({ phrase: undefined, silentMs: performance.now() - sinceMs + 1000 * deviceSeconds })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close()
    await this.#player.close()
  }
}
