import type { CarrierEvent } from '@vaani/telephony'
import type { CallAudio, WorkerCall, WorkerCallRequest } from '@vaani/telephony/line'
import type { LineCallRequest, UserAgent } from '../agent/user-agent.ts'
import type { LineCall, LineCallEnd, LineCallListener } from '../dialog/line-call.ts'
import type { MediaSession } from '../media/media-session.ts'
import type { AgreedAudio, AudioDescription } from '../sdp/description.ts'

/** By how much the agent's limit exceeds ours, which counts frames: it matters only if frames stop. */
const SPARE_DURATION_MS = 1000

/** What both a call that we place and one that we answer need. */
export type MediaRequest = Pick<LineCallRequest, 'offer' | 'sendKey' | 'maxDurationMs'>

/** Whom to talk to. */
export interface FarEnd {
  /** Places the call, or answers it. */
  connect(media: MediaRequest, listener: LineCallListener): LineCall
  /** Called instead if the call is over before its media is ready. */
  decline?(): void
}

/** Returns whom a request calls. */
export const calleeOf = (
  agent: Pick<UserAgent, 'call'>,
  { to, fromCallerId, ringTimeoutMs }: WorkerCallRequest,
): FarEnd => ({
  connect: (media, listener) =>
    agent.call(
      { to, ...(fromCallerId !== undefined && { fromCallerId }), ringTimeoutMs, ...media },
      listener,
    ),
})

export interface SipCallOptions {
  readonly request: Omit<WorkerCall, 'ring'>
  readonly farEnd: FarEnd
  readonly openMedia: () => Promise<MediaSession>
  readonly describe: (media: MediaSession) => AudioDescription
  readonly audio: CallAudio
  /** Unix time in milliseconds. */
  readonly epochMs: () => number
  readonly tellsFarewell: boolean
  /** Gets `ended` last, once the recording is complete. */
  readonly emit: (event: CarrierEvent) => void
}

/** One call over a trunk: joins its signalling, its media and its frames. It has no timer: `tick` is called each 20 ms. */
export class SipCall {
  readonly #options: SipCallOptions
  #state: 'ringing' | 'answered' | 'ended' = 'ringing'
  #hangUpWanted: 'by_caller' | 'by_limit' | undefined
  #media: MediaSession | undefined
  #line: LineCall | undefined
  #agreed: AgreedAudio | undefined

  constructor(options: SipCallOptions) {
    this.#options = options
    void this.#start()
  }

  /** Advances the call by 20 ms. Returns whether a frame went to the far end, of speech or of silence. */
  tick(): boolean {
    switch (this.#state) {
      case 'ringing':
        this.#options.audio.wait()
        // Early media is not heard, but silence opens the way for it through firewalls.
        if (this.#agreed) this.#media?.tick(null)
        return false
      case 'answered':
        this.#exchangeFrames()
        if (this.#options.audio.heardMs() >= this.#options.request.maxDurationMs) this.#hangUp('by_limit')
        return true
      case 'ended':
        return false
    }
  }

  hangUp(): void {
    this.#hangUp('by_caller')
  }

  #hangUp(reason: 'by_caller' | 'by_limit'): void {
    if (this.#hangUpWanted !== undefined) return
    this.#hangUpWanted = reason
    this.#line?.hangUp()
  }

  async #start(): Promise<void> {
    let media
    try {
      media = await this.#options.openMedia()
    } catch {
      return this.#decline({ outcome: 'carrier_error', endedBy: 'carrier' })
    }
    this.#media = media
    if (this.#hangUpWanted !== undefined) return this.#decline({ outcome: 'canceled', endedBy: 'agent' })
    media.onKey((digit) => this.#press(digit))
    this.#line = this.#connect(media)
  }

  #decline(end: LineCallEnd): void {
    this.#options.farEnd.decline?.()
    this.#end(end)
  }

  #connect(media: MediaSession): LineCall {
    const { request, farEnd, describe } = this.#options
    const offer = describe(media)
    return farEnd.connect(
      {
        maxDurationMs: request.maxDurationMs + SPARE_DURATION_MS,
        offer,
        ...(offer.srtp && { sendKey: offer.srtp }),
      },
      {
        onRinging: () => this.#options.emit({ type: 'ringing' }),
        onMedia: (agreed) => {
          this.#agreed = agreed
          media.agree(agreed)
        },
        onKey: (digit) => this.#press(digit),
        onAnswered: (farewell) => this.#answer(farewell),
        onEnded: (end) => this.#end(end),
      },
    )
  }

  #answer(farewell: string): void {
    this.#state = 'answered'
    this.#options.audio.answer()
    const { tellsFarewell, epochMs, emit } = this.#options
    emit({ type: 'answered', atMs: epochMs(), ...(tellsFarewell && { farewell }) })
  }

  #exchangeFrames(): void {
    const { audio } = this.#options
    const direction = this.#agreed?.direction
    if (direction === 'sendrecv' || direction === 'sendonly') audio.play((frame) => this.#exchange(frame))
    else {
      audio.pass()
      this.#exchange(null)
    }
  }

  #exchange(frame: Int16Array | null): void {
    const received = this.#media?.tick(frame)
    if (this.#options.request.receiveAudio && received)
      this.#options.emit({ type: 'audio', samples: Int16Array.from(received) })
  }

  #press(digit: string): void {
    if (this.#state === 'answered') this.#options.emit({ type: 'dtmf', digit })
  }

  #end(end: LineCallEnd): void {
    const quality = this.#state === 'answered' && this.#media ? { quality: this.#media.quality() } : {}
    // The agent knows only that we hung up.
    const isLimit = this.#hangUpWanted === 'by_limit' && end.endedBy === 'agent'
    const limit = isLimit ? ({ outcome: 'duration_limit', endedBy: 'duration_limit' } as const) : {}
    this.#state = 'ended'
    this.#media?.close()
    void this.#options.audio.end({ ...end, ...limit, ...quality }).then(this.#options.emit)
  }
}
