import { createMediaSession, type MediaSessionOptions } from '../../src/media/create-media-session.ts'
import type { MediaSession } from '../../src/media/media-session.ts'
import type { AgreedAudio, AudioDescription, CodecName, SrtpKey } from '../../src/sdp/description.ts'
import { answerOffer, readAnswer } from '../../src/sdp/offer-answer.ts'

/** Bytes that look random, and are the same in each run. */
export function repeatableBytes(seed: number): (count: number) => Uint8Array {
  let state = seed
  return (count) =>
    Uint8Array.from({ length: count }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return state >>> 24
    })
}

const PAYLOAD_TYPES = { PCMU: 0, PCMA: 8, G722: 9, opus: 111 } as const

/** What one side of a call says. */
export const describeAudio = (
  session: MediaSession,
  options: Partial<AudioDescription> & { readonly codec?: CodecName } = {},
): AudioDescription => {
  const { codec: name = 'PCMU', ...more } = options
  return {
    address: '127.0.0.1',
    port: session.localPort,
    codecs: [{ name, payloadType: PAYLOAD_TYPES[name] }],
    telephoneEvent: 101,
    ...(name === 'opus' && { telephoneEvent48kHz: 110 }),
    direction: 'sendrecv',
    packetMs: 20,
    ...more,
  }
}

export const srtpKey = (fill: number): SrtpKey => ({
  tag: 1,
  suite: 'AES_CM_128_HMAC_SHA1_80',
  keyAndSalt: new Uint8Array(30).fill(fill),
})

export interface TwoSessions {
  readonly caller: MediaSession
  readonly callee: MediaSession
  /** What each of them agreed to, for changes of it. */
  readonly callerAudio: AgreedAudio
  readonly calleeAudio: AgreedAudio
}

/** Makes two sessions that have agreed on their audio. */
export async function createTwoSessions(
  options: Omit<MediaSessionOptions, 'localAddress' | 'randomBytes'>,
  audio: Partial<AudioDescription> & { readonly codec?: CodecName; readonly isSecure?: boolean } = {},
): Promise<TwoSessions> {
  const { isSecure = false, ...description } = audio
  const open = (seed: number) =>
    createMediaSession({
      ...options,
      localAddress: '127.0.0.1',
      randomBytes: repeatableBytes(seed),
      hasOpus: audio.codec === 'opus',
    })
  const caller = await open(1)
  const callee = await open(2)
  const offer = describeAudio(caller, { ...description, ...(isSecure && { srtp: srtpKey(1) }) })
  const ours = describeAudio(callee, { ...description, ...(isSecure && { srtp: srtpKey(2) }) })
  const { answer, agreed: calleeAudio } = answerOffer(ours, offer)
  const callerAudio = readAnswer(offer, answer)
  caller.agree(callerAudio)
  callee.agree(calleeAudio)
  return { caller, callee, callerAudio, calleeAudio }
}
