import type { AgreedAudio, AgreedEvent, AudioDescription, Direction, OfferedCodec } from './description.ts'
import { SdpError } from './sdp-error.ts'

const sends = (direction: Direction): boolean => direction === 'sendrecv' || direction === 'sendonly'
const receives = (direction: Direction): boolean => direction === 'sendrecv' || direction === 'recvonly'

function directionFrom(doesSend: boolean, doesReceive: boolean): Direction {
  if (doesSend) return doesReceive ? 'sendrecv' : 'sendonly'
  return doesReceive ? 'recvonly' : 'inactive'
}

/** Returns whether an address is none: an old form of hold, in which its side takes nothing (RFC 3264, 8.4). */
export const isUnspecified = (address: string): boolean => address === '0.0.0.0' || address === '::'

/** Returns our direction: the wished one, without what the far end does not send or receive. */
function agreeDirection(ours: Direction, remote: AudioDescription): Direction {
  return directionFrom(
    sends(ours) && receives(remote.direction) && !isUnspecified(remote.address),
    receives(ours) && sends(remote.direction),
  )
}

function agreeSrtp(
  ours: AudioDescription,
  theirs: AudioDescription,
): Pick<AgreedAudio, 'sendKey' | 'receiveKey'> {
  if (ours.srtp === undefined && theirs.srtp === undefined) return {}
  if (ours.srtp === undefined || theirs.srtp === undefined)
    throw new SdpError('srtp_required', 'One side requires SRTP and the other does not have it')
  return { sendKey: ours.srtp, receiveKey: theirs.srtp }
}

/** Returns the codecs of the first list that the second has too, by name. */
const common = (codecs: readonly OfferedCodec[], others: readonly OfferedCodec[]): OfferedCodec[] =>
  codecs.filter(({ name }) => others.some((other) => other.name === name))

function firstOf(codecs: readonly OfferedCodec[]): OfferedCodec {
  const [codec] = codecs
  if (codec === undefined) throw new SdpError('no_common_codec', 'The two sides have no codec in common')
  return codec
}

/** Returns the events that both sides know: those with the clock of the codec, if they have them. */
function agreeEvent(
  codec: OfferedCodec,
  local: AudioDescription,
  remote: AudioDescription,
): AgreedEvent | undefined {
  const narrow = local.telephoneEvent === undefined ? undefined : remote.telephoneEvent
  const wide = local.telephoneEvent48kHz === undefined ? undefined : remote.telephoneEvent48kHz
  if (codec.name === 'opus' && wide !== undefined) return { payloadType: wide, clockHz: 48_000 }
  return narrow === undefined ? undefined : { payloadType: narrow, clockHz: 8000 }
}

/** Agrees on what both sides said. It does not matter which of them made the offer. */
function agree(local: AudioDescription, remote: AudioDescription): AgreedAudio {
  const codec = firstOf(common(remote.codecs, local.codecs))
  const telephoneEvent = agreeEvent(codec, local, remote)
  // Opus has its own pauses, and comfort noise another clock.
  const comfortNoise =
    codec.name === 'opus' || local.comfortNoise === undefined ? undefined : remote.comfortNoise
  return {
    local,
    remote,
    codec,
    ...(telephoneEvent !== undefined && { telephoneEvent }),
    ...(comfortNoise !== undefined && { comfortNoise }),
    direction: agreeDirection(local.direction, remote),
    ...agreeSrtp(local, remote),
  }
}

/**
 * Answers an offer (RFC 3264, 6): with the first of its codecs that we have too, under its payload types.
 *
 * @param ours what we support and wish; its key, if any, is that of our direction
 * @returns the description to send, and what it agrees on
 * @throws SdpError `no_audio`, `no_common_codec`, `srtp_required`
 */
export function answerOffer(
  ours: AudioDescription,
  offer: AudioDescription,
): { readonly answer: AudioDescription; readonly agreed: AgreedAudio } {
  if (offer.port === 0) throw new SdpError('no_audio', 'The offer has no audio')
  const { refusedBefore: _before, refusedAfter: _after, srtp, ...rest } = ours
  const { telephoneEvent, telephoneEvent48kHz, comfortNoise, ...mine } = rest
  const { refusedBefore, refusedAfter } = offer
  const answer: AudioDescription = {
    ...mine,
    codecs: [firstOf(common(offer.codecs, ours.codecs))],
    ...(telephoneEvent !== undefined &&
      offer.telephoneEvent !== undefined && { telephoneEvent: offer.telephoneEvent }),
    ...(telephoneEvent48kHz !== undefined &&
      offer.telephoneEvent48kHz !== undefined && { telephoneEvent48kHz: offer.telephoneEvent48kHz }),
    ...(comfortNoise !== undefined &&
      offer.comfortNoise !== undefined && { comfortNoise: offer.comfortNoise }),
    direction: agreeDirection(ours.direction, offer),
    // An answer names the line that it accepts by its tag, and takes its suite (RFC 4568, 5.1.2).
    ...(srtp !== undefined && {
      srtp: { ...srtp, tag: offer.srtp?.tag ?? srtp.tag, suite: offer.srtp?.suite ?? srtp.suite },
    }),
    ...(refusedBefore && { refusedBefore }),
    ...(refusedAfter && { refusedAfter }),
  }
  return { answer, agreed: agree(answer, offer) }
}

/**
 * Reads the answer to our offer.
 *
 * @throws SdpError `no_audio`, `no_common_codec`, `srtp_required`, `srtp_unsupported`
 */
export function readAnswer(offered: AudioDescription, answer: AudioDescription): AgreedAudio {
  if (answer.port === 0) throw new SdpError('no_audio', 'The answer refuses the audio')
  const agreed = agree(offered, answer)
  const { sendKey, receiveKey } = agreed
  if (sendKey?.tag !== receiveKey?.tag || sendKey?.suite !== receiveKey?.suite)
    throw new SdpError('srtp_unsupported', 'The answer must take the SRTP key line that we offered')
  return agreed
}
