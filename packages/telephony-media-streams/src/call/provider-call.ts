import { createFramer } from '@vaani/pcm-audio'
import type { CarrierEvent } from '@vaani/telephony'
import type { ConfirmedAudio, WorkerCall } from '@vaani/telephony/line'
import type { Callback, Provider, RestRequest, StreamMessage } from '../provider/provider.ts'
import type { RestResult, SendRequest } from '../rest/send-request.ts'
import { advanceCall } from './advance-call.ts'
import type { CallEffect, CallInput, CallState } from './call-state.ts'
import type { MediaStream } from './media-stream.ts'

/** Sent audio that is not confirmed for this long: the far end does not hear us. */
const LONGEST_UNCONFIRMED_MS = 10_000

export interface ProviderCallOptions {
  readonly request: Pick<WorkerCall, 'maxDurationMs' | 'receiveAudio'>
  /** Where the call begins. */
  readonly initial: CallState
  readonly provider: Provider
  readonly sendRequest: SendRequest
  /** Asks the provider to place the call. Absent if it exists. */
  readonly creation?: RestRequest
  readonly audio: ConfirmedAudio
  readonly frameSamples: number
  readonly monotonicMs: () => number
  /** Unix time in milliseconds. */
  readonly epochMs: () => number
  /** Gets `ended` last, once the recording is complete. */
  readonly emit: (event: CarrierEvent) => void
  /** Called once when the call is over, before the recording is complete. `isLeft`: the provider may still have it. */
  readonly onOver: (isLeft: boolean) => void
}

/** One call: joins its state, its requests, its media and its frames. It has no timer: `tick` is called each 20 ms. */
export class ProviderCall {
  readonly #options: ProviderCallOptions
  readonly #framer
  #state: CallState
  #stream: MediaStream | undefined

  constructor(options: ProviderCallOptions) {
    this.#options = options
    this.#framer = createFramer({ samplesPerFrame: options.frameSamples })
    this.#state = options.initial
  }

  /** Advances the call by 20 ms. Returns whether a frame was sent. */
  tick(): boolean {
    this.#take({ type: 'tick' })
    const { audio, request } = this.#options
    switch (this.#state.phase.type) {
      case 'answered':
        audio.pass()
        return false
      case 'streaming': {
        const isSent = this.#sendFrame()
        if (audio.heardMs() >= request.maxDurationMs) this.#take({ type: 'hang_up', reason: 'limit' })
        else if (audio.unconfirmedMs() > LONGEST_UNCONFIRMED_MS)
          this.#take({ type: 'hang_up', reason: 'unheard' })
        return isSent
      }
      case 'ended':
        return false
      default:
        if (!this.#state.hasAnswered) audio.wait()
        return false
    }
  }

  hangUp(): void {
    this.#take({ type: 'hang_up', reason: 'agent' })
  }

  takeCallback(callback: Callback): void {
    this.#take({ type: 'callback', callback })
  }

  /** Takes a media stream that has shown the call's token. */
  start(stream: MediaStream, callSid: string | undefined): void {
    this.#stream?.close('another stream')
    this.#stream = stream
    this.#take({ type: 'stream_started', callSid })
  }

  takeMessage(message: StreamMessage): void {
    switch (message.type) {
      case 'media':
        return this.#hear(message.payload)
      case 'key':
        return this.#emit({ type: 'dtmf', digit: message.digit })
      case 'mark':
        return this.#confirm(message.name)
      case 'stop':
        return this.#take({ type: 'stream_ended', isOrderly: true })
      case 'start':
      case 'other':
        return
    }
  }

  /** Its media socket has closed. */
  loseStream(isClean: boolean): void {
    this.#stream = undefined
    const isOrderly = isClean && this.#options.provider.stream.endsByClosing
    this.#take({ type: 'stream_ended', isOrderly })
  }

  #sendFrame(): boolean {
    const { audio, provider } = this.#options
    const stream = this.#stream
    if (!stream) return false
    const { streamSid } = stream
    return audio.advance({
      send: (frame, number) => {
        stream.send(provider.stream.writeMedia(streamSid, provider.stream.encoding.encode(frame)))
        stream.send(provider.stream.writeMark(streamSid, String(number)))
      },
      clear: () => stream.send(provider.stream.writeClear(streamSid)),
    })
  }

  #hear(payload: Uint8Array): void {
    if (!this.#options.request.receiveAudio || this.#state.phase.type !== 'streaming') return
    const samples = this.#options.provider.stream.encoding.decode(payload)
    for (const frame of this.#framer.push(samples)) this.#emit({ type: 'audio', samples: frame })
  }

  #confirm(name: string): void {
    if (/^\d{1,9}$/.test(name)) this.#options.audio.confirm(Number(name))
  }

  #emit(event: CarrierEvent): void {
    if (this.#state.phase.type !== 'ended') this.#options.emit(event)
  }

  #take(input: CallInput): void {
    const { state, effects } = advanceCall(this.#state, input, this.#options.monotonicMs())
    this.#state = state
    for (const effect of effects) this.#run(effect)
  }

  #run(effect: CallEffect): void {
    const { audio, emit, epochMs, provider, creation } = this.#options
    switch (effect.type) {
      case 'create':
        return void (
          creation &&
          this.#ask(creation, (result) => ({
            type: 'creation',
            creation:
              result.type === 'response' ? provider.readCreation(result.response) : { type: result.type },
          }))
        )
      case 'hang_up':
        return void this.#ask(provider.hangUp(effect.callSid), (result) => ({
          type: 'hung_up',
          isOver: result.type === 'response' && provider.readHangUp(result.response),
        }))
      case 'look_up':
        return void this.#ask(provider.lookUp(effect.callSid), (result) => ({
          type: 'looked_up',
          progress: result.type === 'response' ? provider.readLookUp(result.response) : undefined,
        }))
      case 'emit_ringing':
        return emit({ type: 'ringing' })
      case 'emit_answered':
        audio.answer()
        return emit({ type: 'answered', atMs: epochMs() })
      case 'close_stream': {
        const stream = this.#stream
        this.#stream = undefined
        return stream?.close('the call is over')
      }
      case 'end':
        this.#options.onOver(effect.isLeft)
        return void audio.end(effect.facts).then(emit)
    }
  }

  async #ask(request: RestRequest, read: (result: RestResult) => CallInput): Promise<void> {
    const result = await this.#options.sendRequest(request)
    this.#take(read(result))
  }
}
