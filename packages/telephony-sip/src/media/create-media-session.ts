import type { MediaQuality } from '@vaani/telephony'
import type { Clock } from '../clock.ts'
import type { AgreedAudio, SrtpKey } from '../sdp/description.ts'
import { isUnspecified } from '../sdp/offer-answer.ts'
import { AudioReceiver } from './audio-receiver.ts'
import { AudioSender, isSameKey } from './audio-sender.ts'
import { readUint16, readUint32 } from './bytes.ts'
import { type MediaSockets, openMediaSockets, type PortRange } from './media-ports.ts'
import type { MediaSession } from './media-session.ts'
import { estimateMos } from './mos.ts'
import { createOpusCodec, type OpusCodec } from './opus-codec.ts'
import { ReportSession, type StreamState } from './report-session.ts'
import { readRtp } from './rtp-packet.ts'
import { type Endpoint, SourceLatch } from './source-latch.ts'
import { SRTP_TRAILER_BYTES, SrtpReceiver, SrtpSender } from './srtp.ts'
import type { OpenUdpSocket } from './udp-socket.ts'

export interface MediaSessionOptions {
  /** Address of the network interface, IPv4 or IPv6. */
  readonly localAddress: string
  /** Default: ports that the system chooses. */
  readonly portRange?: PortRange
  /** Rate of the frames that go in and out. Default 16,000. */
  readonly sampleRateHz?: number
  readonly clock: Pick<Clock, 'nowMs'>
  /** Unpredictable bytes: RFC 3550 wants random numbers, so that streams are hard to forge. */
  readonly randomBytes: (count: number) => Uint8Array
  readonly openSocket: OpenUdpSocket
  /** Loads Opus, so that it can be agreed on. */
  readonly hasOpus?: boolean
}

/** Longest compound: a report on one source, a name of 16 characters, a goodbye, and the trailer of SRTCP. */
const REPORT_BYTES = 128 + SRTP_TRAILER_BYTES
/** Bytes of a canonical name: RFC 7022 (4.2) asks for 96 bits at least. */
const NAME_BYTES = 12

/** Opens the sockets of a call. @throws Error if no ports are free */
export async function createMediaSession(options: MediaSessionOptions): Promise<MediaSession> {
  const random = () => readUint32(options.randomBytes(4), 0) / 2 ** 32
  const { openSocket: open, localAddress: address, portRange: range } = options
  const opus = options.hasOpus === true ? await createOpusCodec() : undefined
  try {
    const sockets = await openMediaSockets({ open, address, range, random })
    return new UdpMediaSession({ sockets, random, opus }, options)
  } catch (error) {
    opus?.release()
    throw error
  }
}

interface MediaParts {
  readonly sockets: MediaSockets
  readonly random: () => number
  readonly opus: OpusCodec | undefined
}

class UdpMediaSession implements MediaSession {
  readonly localPort: number
  readonly sampleRateHz: number
  readonly #clock: Pick<Clock, 'nowMs'>
  readonly #sockets: MediaSockets
  readonly #opus: OpusCodec | undefined
  readonly #latch = new SourceLatch()
  readonly #sender: AudioSender
  readonly #receiver: AudioReceiver
  readonly #reports: ReportSession
  readonly #reportBuffer = new Uint8Array(REPORT_BYTES)
  #receiveKey = (_digit: string): void => undefined
  #agreed: AgreedAudio | undefined
  #receiving: { readonly key: SrtpKey; readonly srtp: SrtpReceiver } | undefined
  #reporting: { readonly key: SrtpKey; readonly srtp: SrtpSender } | undefined
  /** Source of the far end's reports, once known. */
  #reporter: Endpoint | undefined
  #isClosed = false

  constructor({ sockets, random, opus }: MediaParts, options: MediaSessionOptions) {
    const { sampleRateHz = 16_000, clock, randomBytes } = options
    this.#sockets = sockets
    this.#opus = opus
    this.#clock = clock
    this.localPort = sockets.rtp.port
    this.sampleRateHz = sampleRateHz
    const start = randomBytes(10)
    this.#sender = new AudioSender({
      sampleRateHz,
      start: {
        ssrc: readUint32(start, 0),
        timestamp: readUint32(start, 4),
        // In the lower half, so that losing the first packets cannot hide a wrap from SRTP (RFC 3711, 3.3.1).
        sequenceNumber: readUint16(start, 8) & 0x7f_ff,
      },
      transmit: (packet) => this.#transmit(packet),
      opus,
    })
    this.#receiver = new AudioReceiver({ sampleRateHz, onKey: (digit) => this.#receiveKey(digit), opus })
    const name = Buffer.from(randomBytes(NAME_BYTES)).toString('base64')
    this.#reports = new ReportSession({ name, random, nowMs: clock.nowMs() })
    sockets.rtp.onPacket((packet, from) => this.#takeRtp(packet, from))
    sockets.rtcp.onPacket((packet, from) => this.#takeRtcp(packet, from))
  }

  agree(audio: AgreedAudio): void {
    this.#agreed = audio
    const { address, port } = audio.remote
    // Such an address is a hold, and the same source continues after it.
    if (!isUnspecified(address)) this.#latch.expect({ address, port }, audio.signallingAddress)
    if (this.#latch.source === undefined) this.#reporter = undefined
    const { sendKey, receiveKey } = audio
    // Keep the packet counts of unchanged keys, so that nothing can be replayed and no keystream repeats.
    if (receiveKey === undefined) this.#receiving = undefined
    else if (this.#receiving === undefined || !isSameKey(this.#receiving.key, receiveKey))
      this.#receiving = { key: receiveKey, srtp: new SrtpReceiver(receiveKey) }
    if (sendKey === undefined) this.#reporting = undefined
    else if (this.#reporting === undefined || !isSameKey(this.#reporting.key, sendKey))
      this.#reporting = { key: sendKey, srtp: new SrtpSender(sendKey) }
    this.#sender.agree(audio)
    this.#receiver.agree(audio)
  }

  tick(frame: Int16Array | null): Int16Array {
    const nowMs = this.#clock.nowMs()
    if (!this.#isClosed) {
      this.#sender.tick(frame)
      if (this.#reports.isDue(nowMs)) this.#report({ isLast: false })
    }
    return this.#receiver.pull(nowMs)
  }

  press(digits: string): void {
    this.#sender.press(digits)
  }

  onKey(receive: (digit: string) => void): void {
    this.#receiveKey = receive
  }

  quality(): MediaQuality {
    const { statistics, playout } = this.#receiver
    const { remote } = this.#reports
    const lostFraction = statistics?.lostFraction ?? 0
    const packetMs = this.#agreed?.local.packetMs ?? 0
    return {
      packetsSent: this.#sender.packets,
      packetsReceived: statistics?.received ?? 0,
      lostFraction,
      jitterMs: statistics?.jitterMs ?? 0,
      ...(remote !== undefined && {
        remoteLostFraction: remote.lostFraction,
        remoteJitterMs: remote.jitterMs,
      }),
      ...(remote?.roundTripMs !== undefined && { roundTripMs: remote.roundTripMs }),
      mos: estimateMos({
        oneWayDelayMs: packetMs + (remote?.roundTripMs ?? 0) / 2 + playout.delayMs,
        // A packet that comes too late is lost to the listener.
        lostFraction: Math.min(1, lostFraction + playout.lateFraction),
      }),
    }
  }

  close(): void {
    if (this.#isClosed) return
    this.#report({ isLast: true })
    this.#isClosed = true
    this.#sockets.rtp.close()
    this.#sockets.rtcp.close()
    this.#opus?.release()
  }

  #transmit(packet: Uint8Array): void {
    const to = this.#latch.source ?? this.#agreed?.remote
    if (to !== undefined) this.#sockets.rtp.send(packet, to)
  }

  #takeRtp(packet: Uint8Array, from: Endpoint): void {
    const nowMs = this.#clock.nowMs()
    if (!this.#latch.isHeard(from, nowMs)) return
    const plain = this.#receiving === undefined ? packet : this.#receiving.srtp.unprotectRtp(packet)
    const rtp = plain && readRtp(plain)
    if (rtp === undefined || !this.#receiver.isExpected(rtp.payloadType)) return
    for (const arrival of this.#latch.take({ packet: rtp, from, arrivalMs: nowMs }))
      this.#receiver.take(arrival.packet, arrival.arrivalMs)
  }

  #takeRtcp(packet: Uint8Array, from: Endpoint): void {
    if (!this.#latch.isReporter(from.address)) return
    const plain = this.#receiving === undefined ? packet : this.#receiving.srtp.unprotectRtcp(packet)
    if (plain && this.#reports.take(plain, this.#streamState(), this.#clock.nowMs())) this.#reporter = from
  }

  #streamState(): StreamState {
    const { ssrc, timestamp, clockHz, packets, octets } = this.#sender
    return { ssrc, timestamp, clockHz, packets, octets, reception: this.#receiver.statistics }
  }

  /** Returns where to send reports: to the source of theirs if known, otherwise to the port beside the media; undefined on hold. */
  #reportTarget(): Endpoint | undefined {
    if (this.#agreed === undefined) return undefined
    const { address, port, rtcpPort = port + 1 } = this.#agreed.remote
    if (isUnspecified(address)) return undefined
    if (this.#reporter !== undefined) return this.#reporter
    const { source } = this.#latch
    if (source === undefined || source.port === port)
      return { address: source?.address ?? address, port: rtcpPort }
    return { address: source.address, port: source.port + 1 }
  }

  #report(options: { readonly isLast: boolean }): void {
    const to = this.#reportTarget()
    if (to === undefined || to.port > 65_535) return
    const into = this.#reportBuffer
    const length = this.#reports.write(this.#streamState(), this.#clock.nowMs(), { ...options, into })
    this.#sockets.rtcp.send(into.subarray(0, this.#reporting?.srtp.protectRtcp(into, length) ?? length), to)
  }
}
