import { formatComfortNoise } from '@vaani/pcm-audio'
import { FRAME_DURATION_MS } from '@vaani/telephony'
import type { AgreedAudio, AgreedEvent, CodecName, SrtpKey } from '../sdp/description.ts'
import { type AudioCodec, createAudioCodec, MAX_FRAMES, RTP_CLOCK_HZ } from './audio-codec.ts'
import { createFrameResampler, type FrameResampler, samplesPerFrame } from './frame-resampler.ts'
import { RTP_HEADER_BYTES, writeRtpHeader } from './rtp-packet.ts'
import { SRTP_TRAILER_BYTES, SrtpSender } from './srtp.ts'
import { createKeySender, TELEPHONE_EVENT_BYTES } from './telephone-event.ts'

/** Most bytes of a frame: those of 64 kbit/s, which no codec here exceeds. */
const MAX_FRAME_BYTES = (64 * FRAME_DURATION_MS) / 8
const ticksPerFrame = (clockHz: number): number => (clockHz * FRAME_DURATION_MS) / 1000
/** Packet buffers used in turn, because a socket may still hold the last packets when the next is written. */
const PACKETS_IN_FLIGHT = 4
/** Frames from one comfort noise packet to the next: often enough to keep the bindings of NATs open. */
const NOISE_EVERY_FRAMES = 20
/** White noise, loud enough for a listener to know that the line is not dead. */
const NOISE = formatComfortNoise({ levelDbov: -70, reflection: [] })

/** First numbers of a stream, drawn at random (RFC 3550, 5.1). */
export interface StreamStart {
  readonly ssrc: number
  readonly sequenceNumber: number
  readonly timestamp: number
}

/** Sends frames, pauses and keys as one RTP stream. */
export class AudioSender {
  readonly ssrc: number
  packets = 0
  /** Bytes of payload. */
  octets = 0
  /** Timestamp of the frame that comes next. */
  timestamp: number
  readonly #sampleRateHz: number
  readonly #transmit: (packet: Uint8Array) => void
  readonly #opus: AudioCodec | undefined
  readonly #keys = createKeySender({ packetMs: FRAME_DURATION_MS })
  readonly #buffers = Array.from(
    { length: PACKETS_IN_FLIGHT },
    () => new Uint8Array(RTP_HEADER_BYTES + MAX_FRAMES * MAX_FRAME_BYTES + SRTP_TRAILER_BYTES),
  )
  #buffer = 0
  readonly #silence: Int16Array
  #sequenceNumber: number
  #agreed: AgreedAudio | undefined
  #codec:
    | { readonly name: CodecName; readonly coder: AudioCodec; readonly resampler: FrameResampler }
    | undefined
  #srtp: { readonly key: SrtpKey; readonly sender: SrtpSender } | undefined
  /** Ticks of the RTP clock in a frame. */
  #frameTicks = ticksPerFrame(RTP_CLOCK_HZ)
  /** Frames in the packet that is being collected, their bytes, and how many frames it will have. */
  #collected = 0
  #bytes = 0
  #framesPerPacket = 1
  /** Whether the next packet of audio is the first after a pause. */
  #isAfterPause = true
  #pausedFrames = 0
  #keyTimestamp = 0

  constructor(options: {
    readonly sampleRateHz: number
    readonly start: StreamStart
    readonly transmit: (packet: Uint8Array) => void
    readonly opus?: AudioCodec | undefined
  }) {
    const { sampleRateHz, start, transmit } = options
    this.#opus = options.opus
    this.#sampleRateHz = sampleRateHz
    this.#transmit = transmit
    this.#silence = new Int16Array(samplesPerFrame(sampleRateHz))
    this.ssrc = start.ssrc
    this.#sequenceNumber = start.sequenceNumber
    this.timestamp = start.timestamp
  }

  get clockHz(): number {
    return this.#codec?.coder.clockHz ?? RTP_CLOCK_HZ
  }

  agree(audio: AgreedAudio): void {
    this.#flush()
    this.#agreed = audio
    const { name } = audio.codec
    if (this.#codec?.name !== name) {
      const coder = createAudioCodec(name, this.#opus)
      const resampler = createFrameResampler({ fromHz: this.#sampleRateHz, toHz: coder.rateHz })
      this.#codec = { name, coder, resampler }
    }
    const { coder } = this.#codec
    this.#frameTicks = ticksPerFrame(coder.clockHz)
    this.#framesPerPacket = Math.min(
      coder.framesPerPacket,
      Math.max(1, Math.floor(audio.remote.packetMs / FRAME_DURATION_MS)),
    )
    const { sendKey } = audio
    // Keep the packet count of an unchanged key. A new count would repeat the keystream.
    if (sendKey === undefined) this.#srtp = undefined
    else if (this.#srtp === undefined || !isSameKey(this.#srtp.key, sendKey))
      this.#srtp = { key: sendKey, sender: new SrtpSender(sendKey) }
  }

  press(digits: string): void {
    this.#keys.press(digits)
  }

  /** Takes the frame of this tick: `null` is a pause. */
  tick(frame: Int16Array | null): void {
    const { direction, telephoneEvent, comfortNoise } = this.#agreed ?? {}
    this.#pausedFrames = frame === null ? this.#pausedFrames + 1 : 0
    if (direction === 'sendrecv' || direction === 'sendonly') {
      if (this.#keys.isBusy && telephoneEvent !== undefined) this.#sendKey(telephoneEvent)
      // The first frame of a pause is sent as sound, because the resampler still holds the end of the speech.
      else if (this.#pausedFrames > 1 && comfortNoise !== undefined) this.#sendNoise(comfortNoise)
      else this.#collect(frame ?? this.#silence)
    } else this.#pause()
    this.timestamp = (this.timestamp + this.#frameTicks) >>> 0
  }

  #collect(frame: Int16Array): void {
    if (this.#codec === undefined) return
    const { coder, resampler } = this.#codec
    const start = RTP_HEADER_BYTES + this.#bytes
    const into = this.#packet().subarray(start, start + MAX_FRAME_BYTES)
    this.#bytes += coder.encode(resampler.convert(frame), into)
    this.#collected += 1
    if (this.#collected < this.#framesPerPacket) return
    this.#sendCollected(this.timestamp - (this.#collected - 1) * this.#frameTicks)
  }

  /** Sends the frames collected before this tick. */
  #flush(): void {
    if (this.#collected > 0) this.#sendCollected(this.timestamp - this.#collected * this.#frameTicks)
  }

  #pause(): void {
    this.#flush()
    this.#isAfterPause = true
  }

  #sendCollected(timestamp: number): void {
    const payloadType = this.#agreed?.codec.payloadType
    const length = this.#bytes
    this.#collected = 0
    this.#bytes = 0
    if (payloadType === undefined) return
    this.#send({ payloadType, marker: this.#isAfterPause, timestamp, length })
    this.#isAfterPause = false
  }

  #sendKey({ payloadType, clockHz }: AgreedEvent): void {
    this.#pause()
    if (this.#keys.isAtStart) this.#keyTimestamp = this.timestamp
    const key = this.#keys.next(this.#packet().subarray(RTP_HEADER_BYTES), clockHz)
    if (key === undefined) return
    const timestamp = this.#keyTimestamp + key.timestampOffset
    this.#send({ payloadType, marker: key.marker, timestamp, length: TELEPHONE_EVENT_BYTES })
  }

  #sendNoise(payloadType: number): void {
    this.#pause()
    if ((this.#pausedFrames - 2) % NOISE_EVERY_FRAMES > 0) return
    this.#packet().set(NOISE, RTP_HEADER_BYTES)
    this.#send({ payloadType, marker: false, timestamp: this.timestamp, length: NOISE.length })
  }

  #packet(): Uint8Array {
    return this.#buffers[this.#buffer] ?? new Uint8Array()
  }

  #send(options: { payloadType: number; marker: boolean; timestamp: number; length: number }): void {
    const { length, ...fields } = options
    const packet = this.#packet()
    this.#buffer = (this.#buffer + 1) % PACKETS_IN_FLIGHT
    writeRtpHeader(packet, { ...fields, sequenceNumber: this.#sequenceNumber, ssrc: this.ssrc })
    this.#sequenceNumber = (this.#sequenceNumber + 1) & 0xff_ff
    this.packets += 1
    this.octets += length
    const whole = RTP_HEADER_BYTES + length
    this.#transmit(packet.subarray(0, this.#srtp?.sender.protectRtp(packet, whole) ?? whole))
  }
}

export const isSameKey = (one: SrtpKey, other: SrtpKey): boolean =>
  one.suite === other.suite && Buffer.compare(one.keyAndSalt, other.keyAndSalt) === 0
