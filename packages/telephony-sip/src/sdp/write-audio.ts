import { isIPv6 } from 'node:net'
import { writeCrypto } from './crypto-attribute.ts'
import type { AudioDescription, RefusedMedia } from './description.ts'

/** Numbers of the o= line (RFC 8866, 5.2). */
export interface SdpOrigin {
  /** The same for all descriptions of a call: a number of up to 63 bits. */
  readonly sessionId: number | bigint
  /** One more whenever the description changes. */
  readonly version: number | bigint
}

const refusal = ({ media, protocol, formats }: RefusedMedia): string => `m=${media} 0 ${protocol} ${formats}`

/** Writes a session description of one audio stream, and of the streams that it refuses. */
export function writeAudio(description: AudioDescription, { sessionId, version }: SdpOrigin): string {
  const { address, port, rtcpPort, codecs, telephoneEvent, comfortNoise, direction, packetMs, srtp } =
    description
  const connection = `IN ${isIPv6(address) ? 'IP6' : 'IP4'} ${address}`
  const encodings = new Map<number, string>()
  for (const { payloadType, name } of codecs) encodings.set(payloadType, `${name}/8000`)
  if (telephoneEvent !== undefined) encodings.set(telephoneEvent, 'telephone-event/8000')
  if (comfortNoise !== undefined) encodings.set(comfortNoise, 'CN/8000')
  const lines = [
    'v=0',
    `o=- ${sessionId} ${version} ${connection}`,
    's=-',
    `c=${connection}`,
    't=0 0',
    ...(description.refusedBefore ?? []).map(refusal),
    `m=audio ${port} ${srtp ? 'RTP/SAVP' : 'RTP/AVP'} ${[...encodings.keys()].join(' ')}`,
    ...[...encodings].map(([payloadType, encoding]) => `a=rtpmap:${payloadType} ${encoding}`),
    // The keys 0 to 9, *, # and A to D (RFC 4733, 3.2).
    ...(telephoneEvent === undefined ? [] : [`a=fmtp:${telephoneEvent} 0-15`]),
    ...(rtcpPort === undefined ? [] : [`a=rtcp:${rtcpPort}`]),
    ...(srtp === undefined ? [] : [`a=crypto:${writeCrypto(srtp)}`]),
    `a=ptime:${packetMs}`,
    `a=${direction}`,
    ...(description.refusedAfter ?? []).map(refusal),
  ]
  return `${lines.join('\r\n')}\r\n`
}
