import { isIPv4, isIPv6 } from 'node:net'
import { parseCrypto } from './crypto-attribute.ts'
import type {
  AudioDescription,
  CodecName,
  Direction,
  OfferedCodec,
  RefusedMedia,
  SrtpKey,
} from './description.ts'
import { attributesOf, parseDecimal, readSections, type SdpLine, type SdpMedia } from './read-sections.ts'
import { SdpError } from './sdp-error.ts'

/** Shortest and longest packets that we send, in milliseconds. */
const MIN_PACKET_MS = 10
const MAX_PACKET_MS = 60
/** Default packetization of the codecs here (RFC 3551, table 1). */
const DEFAULT_PACKET_MS = 20

const DIRECTIONS = ['sendrecv', 'sendonly', 'recvonly', 'inactive'] as const satisfies Direction[]

/** Encodings with a payload type of their own (RFC 3551, table 4). G722 has an RTP clock of 8000 by error (4.5.2). */
const STATIC_ENCODINGS: ReadonlyMap<number, string> = new Map([
  [0, 'pcmu/8000'],
  [8, 'pcma/8000'],
  [9, 'g722/8000'],
  [13, 'cn/8000'],
])
const CODECS: ReadonlyMap<string, CodecName> = new Map([
  ['pcmu/8000', 'PCMU'],
  ['pcma/8000', 'PCMA'],
  ['g722/8000', 'G722'],
  // RFC 7587, 7: always so, also of mono.
  ['opus/48000/2', 'opus'],
])

/** RTP and SRTP. Profiles with feedback are refused. */
const isAudio = ({ media, protocol }: SdpMedia): boolean =>
  media === 'audio' && (protocol === 'RTP/AVP' || protocol === 'RTP/SAVP')

/** Returns whether a stream can be sent to an address: it is IPv4 or IPv6, and neither multicast nor broadcast. */
function isUnicast(address: string): boolean {
  if (isIPv4(address)) return Number(address.split('.', 1)[0]) < 224
  return isIPv6(address) && !address.includes('%') && !/^ff/iv.test(address)
}

function parseAddress(media: readonly SdpLine[], session: readonly SdpLine[]): string {
  const line = [...media, ...session].find(({ kind }) => kind === 'c')
  const [network, family, address = ''] = line?.value.split(/[ \t]+/v) ?? []
  const isOfFamily = family === 'IP4' ? isIPv4(address) : family === 'IP6' && isIPv6(address)
  if (network !== 'IN' || !isOfFamily || !isUnicast(address))
    throw new SdpError('malformed', 'The audio must have a c= line with a unicast IPv4 or IPv6 address')
  return address
}

function directionOf(lines: readonly SdpLine[]): Direction | undefined {
  return DIRECTIONS.find((direction) => attributesOf(lines, direction).includes(''))
}

/** Returns the encoding of each payload type on the m= line, in its order, as `pcmu/8000`. */
function encodingsOf({ formats, lines }: SdpMedia): Map<number, string> {
  const mapped = new Map<number, string>()
  for (const value of attributesOf(lines, 'rtpmap')) {
    const [format = '', encoding = ''] = value.split(/[ \t]+/v)
    const payloadType = parseDecimal(format, 127)
    // One channel is the default, and may be written out.
    if (payloadType !== undefined) mapped.set(payloadType, encoding.toLowerCase().replace(/\/1$/v, ''))
  }
  const encodings = new Map<number, string>()
  for (const format of formats) {
    const payloadType = parseDecimal(format, 127)
    if (payloadType === undefined)
      throw new SdpError('malformed', 'The formats of RTP audio must be payload types from 0 to 127')
    const encoding = mapped.get(payloadType) ?? STATIC_ENCODINGS.get(payloadType)
    if (encoding !== undefined) encodings.set(payloadType, encoding)
  }
  return encodings
}

function payloadTypesOf(
  media: SdpMedia,
): Pick<AudioDescription, 'codecs' | 'telephoneEvent' | 'telephoneEvent48kHz' | 'comfortNoise'> {
  const codecs: OfferedCodec[] = []
  let telephoneEvent: number | undefined
  let telephoneEvent48kHz: number | undefined
  let comfortNoise: number | undefined
  for (const [payloadType, encoding] of encodingsOf(media)) {
    const name = CODECS.get(encoding)
    if (name !== undefined) codecs.push({ name, payloadType })
    else if (encoding === 'telephone-event/8000') telephoneEvent ??= payloadType
    else if (encoding === 'telephone-event/48000') telephoneEvent48kHz ??= payloadType
    else if (encoding === 'cn/8000') comfortNoise ??= payloadType
  }
  return {
    codecs,
    ...(telephoneEvent !== undefined && { telephoneEvent }),
    ...(telephoneEvent48kHz !== undefined && { telephoneEvent48kHz }),
    ...(comfortNoise !== undefined && { comfortNoise }),
  }
}

function packetMsOf(lines: readonly SdpLine[]): number {
  const packetMs = parseDecimal(attributesOf(lines, 'ptime')[0] ?? '', 1000) ?? DEFAULT_PACKET_MS
  return Math.min(MAX_PACKET_MS, Math.max(MIN_PACKET_MS, packetMs))
}

/** Returns the port of a=rtcp (RFC 3605). Ignores its optional address: reports go where the media goes. */
function rtcpPortOf(lines: readonly SdpLine[]): number | undefined {
  const [value] = attributesOf(lines, 'rtcp')
  if (value === undefined) return undefined
  const port = parseDecimal(value.split(/[ \t]/v, 1)[0] ?? '', 65_535)
  if (port === undefined || port === 0)
    throw new SdpError('malformed', 'The port of a=rtcp must be 1 to 65535')
  return port
}

function srtpOf({ protocol, port, lines }: SdpMedia): SrtpKey | undefined {
  // RFC 4568, 5.1.1: the attribute belongs to secure profiles alone.
  if (protocol !== 'RTP/SAVP') return undefined
  for (const value of attributesOf(lines, 'crypto')) {
    const key = parseCrypto(value)
    if (key !== undefined) return key
  }
  if (port === 0) return undefined
  throw new SdpError('srtp_unsupported', 'Secure audio must have an a=crypto line that we can do')
}

const refuse = ({ media, protocol, formats }: SdpMedia): RefusedMedia => ({
  media,
  protocol,
  formats: formats.join(' '),
})

/**
 * Parses what a session description (RFC 8866) says of its audio: the first stream of audio over RTP or SRTP that is not
 * refused. Other streams are listed, so that an answer can refuse them.
 *
 * @param body at most 16 KiB
 * @throws SdpError `too_long`, `malformed`, `no_audio`, `srtp_unsupported`
 */
export function parseAudio(body: string): AudioDescription {
  const { session, media } = readSections(body)
  const open = media.findIndex((section) => isAudio(section) && section.port > 0)
  const index = open < 0 ? media.findIndex(isAudio) : open
  const audio = media[index]
  if (audio === undefined) throw new SdpError('no_audio', 'The description has no audio over RTP')
  const rtcpPort = rtcpPortOf(audio.lines)
  const srtp = srtpOf(audio)
  const refusedBefore = media.slice(0, index).map(refuse)
  const refusedAfter = media.slice(index + 1).map(refuse)
  return {
    address: parseAddress(audio.lines, session),
    port: audio.port,
    ...(rtcpPort !== undefined && { rtcpPort }),
    ...payloadTypesOf(audio),
    direction: directionOf(audio.lines) ?? directionOf(session) ?? 'sendrecv',
    packetMs: packetMsOf(audio.lines),
    ...(srtp !== undefined && { srtp }),
    ...(refusedBefore.length > 0 && { refusedBefore }),
    ...(refusedAfter.length > 0 && { refusedAfter }),
  }
}
