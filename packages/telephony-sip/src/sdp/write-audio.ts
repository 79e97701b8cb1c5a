import { isIPv6 } from 'node:net'
import { writeCrypto } from './crypto-attribute.ts'
import type { AudioDescription, CodecName, RefusedMedia } from './description.ts'

/** Numbers of the o= line (RFC 8866, 5.2). */
export interface SdpOrigin {
  /** The same for all descriptions of a call: a number of up to 63 bits. */
  readonly sessionId: number | bigint
  /** One more whenever the description changes. */
  readonly version: number | bigint
}

const refusal = ({ media, protocol, formats }: RefusedMedia): string => `m=${media} 0 ${protocol} ${formats}`

/** What an a=rtpmap line calls a codec. */
function encodingOf(name: CodecName): string {
  switch (name) {
    case 'opus':
      return 'opus/48000/2'
    case 'PCMU':
    case 'PCMA':
    case 'G722':
      return `${name}/8000`
  }
}

/** Says that we hear and send wideband, so that the far end need not send more (RFC 7587, 6.1). */
const WIDEBAND = 'maxplaybackrate=16000;sprop-maxcapturerate=16000'

/** Writes a session description of one audio stream, and of the streams that it refuses. */
export function writeAudio(description: AudioDescription, { sessionId, version }: SdpOrigin): string {
  const { address, port, rtcpPort, codecs, comfortNoise, direction, packetMs, srtp } = description
  const connection = `IN ${isIPv6(address) ? 'IP6' : 'IP4'} ${address}`
  const encodings = new Map<number, string>()
  for (const { payloadType, name } of codecs) encodings.set(payloadType, encodingOf(name))
  const events = new Map([
    [description.telephoneEvent, 'telephone-event/8000'],
    [description.telephoneEvent48kHz, 'telephone-event/48000'],
  ])
  for (const [payloadType, encoding] of events)
    if (payloadType !== undefined) encodings.set(payloadType, encoding)
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
    ...codecs.flatMap(({ name, payloadType }) =>
      name === 'opus' ? [`a=fmtp:${payloadType} ${WIDEBAND}`] : [],
    ),
    // The keys 0 to 9, *, # and A to D (RFC 4733, 3.2).
    ...[...events.keys()].flatMap((payloadType) =>
      payloadType === undefined ? [] : [`a=fmtp:${payloadType} 0-15`],
    ),
    ...(rtcpPort === undefined ? [] : [`a=rtcp:${rtcpPort}`]),
    ...(srtp === undefined ? [] : [`a=crypto:${writeCrypto(srtp)}`]),
    `a=ptime:${packetMs}`,
    `a=${direction}`,
    ...(description.refusedAfter ?? []).map(refusal),
  ]
  return `${lines.join('\r\n')}\r\n`
}
