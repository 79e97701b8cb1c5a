import { createJitterBuffer, type JitterBuffer } from '@vaani/pcm-audio'
import { FRAME_DURATION_MS } from '@vaani/telephony'
import type { AgreedAudio, CodecName } from '../sdp/description.ts'
import { type AudioCodec, codecRates, createAudioCodec, RTP_CLOCK_HZ } from './audio-codec.ts'
import { type ComfortConcealment, createComfortConcealment } from './comfort-concealment.ts'
import { createFrameResampler, type FrameResampler, samplesPerFrame } from './frame-resampler.ts'
import { ReceptionStatistics } from './reception-statistics.ts'
import type { RtpPacket } from './rtp-packet.ts'
import { createKeyReceiver } from './telephone-event.ts'

/** Longest payload that is decoded: 200 ms at 64 kbit/s. */
const MAX_PAYLOAD_BYTES = (64 * 200) / 8

/** What a payload type stands for. */
type PayloadKind = CodecName | 'telephone_event' | 'comfort_noise'

/** Everything that runs at the rate of the codec. */
interface Playout {
  readonly rateHz: number
  readonly clockHz: number
  readonly concealment: ComfortConcealment
  readonly buffer: JitterBuffer
  readonly resampler: FrameResampler
  readonly frame: Int16Array
}

function createPlayout(codec: CodecName, sampleRateHz: number): Playout {
  const { rateHz, clockHz } = codecRates(codec)
  const concealment = createComfortConcealment({ sampleRateHz: rateHz })
  return {
    rateHz,
    clockHz,
    concealment,
    buffer: createJitterBuffer({ sampleRateHz: rateHz, frameMs: FRAME_DURATION_MS, concealment }),
    resampler: createFrameResampler({ fromHz: rateHz, toHz: sampleRateHz }),
    frame: new Int16Array(samplesPerFrame(rateHz)),
  }
}

function haveSameRates(one: CodecName, other: CodecName): boolean {
  const [a, b] = [codecRates(one), codecRates(other)]
  return a.rateHz === b.rateHz && a.clockHz === b.clockHz
}

/**
 * Returns what the far end may send: the payload types of our description, and those of its own, which some phones use
 * instead. Leaves out codecs of other rates than the agreed one.
 */
function payloadKindsOf({ local, remote, codec }: AgreedAudio): ReadonlyMap<number, PayloadKind> {
  const kinds = new Map<number, PayloadKind>()
  for (const { telephoneEvent, telephoneEvent48kHz, comfortNoise, codecs } of [remote, local]) {
    for (const { name, payloadType } of codecs)
      if (local.codecs.some((ours) => ours.name === name) && haveSameRates(name, codec.name))
        kinds.set(payloadType, name)
    for (const event of [telephoneEvent, telephoneEvent48kHz])
      if (event !== undefined) kinds.set(event, 'telephone_event')
    if (comfortNoise !== undefined) kinds.set(comfortNoise, 'comfort_noise')
  }
  return kinds
}

/** Turns the packets of the far end into even frames and keys. */
export class AudioReceiver {
  /** Of the source that was heard last. */
  statistics: ReceptionStatistics | undefined
  readonly #sampleRateHz: number
  readonly #onKey: (digit: string) => void
  readonly #opus: AudioCodec | undefined
  readonly #samples = new Int16Array(2 * MAX_PAYLOAD_BYTES)
  readonly #silence: Int16Array
  #kinds: ReadonlyMap<number, PayloadKind> = new Map()
  readonly #codecs = new Map<CodecName, AudioCodec>()
  #playout: Playout | undefined
  #keys = createKeyReceiver()
  #isListening = false
  /** Timestamp of the last packet, counted on where 32 bits begin anew: a third of them does not. */
  #timestamp = 0

  constructor(options: {
    readonly sampleRateHz: number
    readonly onKey: (digit: string) => void
    readonly opus?: AudioCodec | undefined
  }) {
    this.#opus = options.opus
    this.#sampleRateHz = options.sampleRateHz
    this.#onKey = options.onKey
    this.#silence = new Int16Array(samplesPerFrame(options.sampleRateHz))
  }

  agree(audio: AgreedAudio): void {
    this.#kinds = payloadKindsOf(audio)
    this.#isListening = audio.direction === 'sendrecv' || audio.direction === 'recvonly'
    const { rateHz, clockHz } = codecRates(audio.codec.name)
    if (this.#playout?.rateHz === rateHz && this.#playout.clockHz === clockHz) return
    this.#playout = createPlayout(audio.codec.name, this.#sampleRateHz)
    // Its jitter is in ticks of the former clock.
    this.statistics = undefined
  }

  /** Returns whether the far end may send this payload type. */
  isExpected(payloadType: number): boolean {
    return this.#kinds.has(payloadType)
  }

  take(packet: RtpPacket, arrivalMs: number): void {
    const kind = this.#kinds.get(packet.payloadType)
    if (kind === undefined) return
    if (this.statistics?.ssrc !== packet.ssrc) {
      this.statistics = new ReceptionStatistics(packet.ssrc, this.#playout?.clockHz ?? RTP_CLOCK_HZ)
      this.#keys = createKeyReceiver()
    }
    this.statistics.take(packet, arrivalMs)
    if (!this.#isListening) return
    switch (kind) {
      case 'telephone_event': {
        const digit = this.#keys.take(packet.timestamp, packet.payload)
        if (digit !== undefined) this.#onKey(digit)
        break
      }
      case 'comfort_noise':
        this.#playout?.concealment.pause(packet.payload)
        break
      case 'PCMU':
      case 'PCMA':
      case 'G722':
      case 'opus':
        this.#play(kind, packet, arrivalMs)
    }
  }

  #play(name: CodecName, { payload, sequenceNumber, timestamp }: RtpPacket, arrivalMs: number): void {
    if (payload.length > MAX_PAYLOAD_BYTES || this.#playout === undefined) return
    const { rateHz, clockHz, buffer } = this.#playout
    const codec = this.#codecs.get(name) ?? createAudioCodec(name, this.#opus)
    this.#codecs.set(name, codec)
    const samples = codec.decode(payload, this.#samples)
    if (samples === undefined) return
    this.#timestamp += (timestamp - this.#timestamp) | 0
    // The buffer counts samples, of which G.722 has two in each tick, and Opus one in three.
    buffer.push(
      { sequenceNumber, timestamp: Math.floor((this.#timestamp * rateHz) / clockHz) >>> 0, samples },
      arrivalMs,
    )
  }

  /** Returns the frame that is due: a view that is valid until the next call. Silence before the first packet. */
  pull(nowMs: number): Int16Array {
    if (this.#playout === undefined) return this.#silence
    const { buffer, resampler, frame } = this.#playout
    return resampler.convert(buffer.pull(nowMs, frame))
  }

  /** The delay of the jitter buffer, and the share of received packets that came too late. */
  get playout(): { readonly delayMs: number; readonly lateFraction: number } {
    if (this.#playout === undefined) return { delayMs: 0, lateFraction: 0 }
    // The current delay would grow during a pause.
    const { targetDelayMs, late, received } = this.#playout.buffer.statistics()
    return { delayMs: targetDelayMs, lateFraction: received === 0 ? 0 : late / received }
  }
}
