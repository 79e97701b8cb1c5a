import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arbitraryAudio } from '../../test/support/arbitrary-audio.ts'
import type { AudioDescription, Direction, SrtpKey } from './description.ts'
import { answerOffer, readAnswer } from './offer-answer.ts'
import { parseAudio } from './parse-audio.ts'
import { SdpError } from './sdp-error.ts'
import { writeAudio } from './write-audio.ts'

const ours: AudioDescription = {
  address: '192.0.2.1',
  port: 4000,
  codecs: [
    { name: 'G722', payloadType: 9 },
    { name: 'PCMU', payloadType: 0 },
    { name: 'PCMA', payloadType: 8 },
  ],
  telephoneEvent: 101,
  direction: 'sendrecv',
  packetMs: 20,
}
const theirs: AudioDescription = {
  address: '198.51.100.1',
  port: 5000,
  codecs: [{ name: 'PCMA', payloadType: 8 }],
  direction: 'sendrecv',
  packetMs: 20,
}
const key = (first: number, more: Partial<SrtpKey> = {}): SrtpKey => ({
  tag: 1,
  suite: 'AES_CM_128_HMAC_SHA1_80',
  keyAndSalt: new Uint8Array(30).fill(first),
  ...more,
})

const codeOf = (action: () => unknown): string => {
  try {
    action()
    return 'none'
  } catch (error) {
    if (error instanceof SdpError) return error.code
    throw error
  }
}

describe('Opus', () => {
  const opus: AudioDescription = {
    ...ours,
    codecs: [{ name: 'opus', payloadType: 111 }, ...ours.codecs],
    telephoneEvent48kHz: 110,
    comfortNoise: 13,
  }

  test('is written as RFC 7587 says, with the events of its clock beside those of other codecs', () => {
    const lines = writeAudio(opus, { sessionId: 1, version: 1 }).split('\r\n')
    expect(lines).toContain('m=audio 4000 RTP/AVP 111 9 0 8 101 110 13')
    expect(lines).toContain('a=rtpmap:111 opus/48000/2')
    expect(lines).toContain('a=rtpmap:110 telephone-event/48000')
    expect(lines).toContain('a=fmtp:110 0-15')
  })

  test('has events of its own clock if the far end knows them, and no comfort noise', () => {
    const both = answerOffer(opus, { ...opus, ...theirs, codecs: [{ name: 'opus', payloadType: 96 }] }).agreed
    expect(both.codec).toEqual({ name: 'opus', payloadType: 96 })
    expect(both.telephoneEvent).toEqual({ payloadType: 110, clockHz: 48_000 })
    expect(both.comfortNoise).toBeUndefined()
    const { telephoneEvent48kHz: _wide, ...narrow } = { ...opus, ...theirs, codecs: opus.codecs }
    expect(answerOffer(opus, narrow).agreed.telephoneEvent).toEqual({ payloadType: 101, clockHz: 8000 })
  })

  test('leaves other codecs the events of theirs', () => {
    const { agreed } = answerOffer(opus, { ...opus, ...theirs })
    expect(agreed.telephoneEvent).toEqual({ payloadType: 101, clockHz: 8000 })
    expect(agreed.comfortNoise).toBe(13)
  })
})

test('both sides agree on the same, whatever they offer and answer', () => {
  fc.assert(
    fc.property(arbitraryAudio, arbitraryAudio, (offer, mine) => {
      let answered: ReturnType<typeof answerOffer>
      try {
        answered = answerOffer(mine, offer)
      } catch (error) {
        expect(error).toBeInstanceOf(SdpError)
        return
      }
      const { answer, agreed } = answered
      const read = readAnswer(offer, parseAudio(writeAudio(answer, { sessionId: 1, version: 1 })))
      expect(read.codec).toEqual(agreed.codec)
      expect(read.telephoneEvent).toEqual(agreed.telephoneEvent)
      expect(read.comfortNoise).toBe(agreed.comfortNoise)
      expect(read.sendKey).toEqual(agreed.receiveKey)
      expect(read.receiveKey).toEqual(agreed.sendKey)
      expect(answer.refusedBefore).toEqual(offer.refusedBefore)
      expect(answer.refusedAfter).toEqual(offer.refusedAfter)
    }),
  )
})

describe('directions', () => {
  test.each<[Direction, Direction, Direction]>([
    ['sendrecv', 'sendrecv', 'sendrecv'],
    ['sendrecv', 'sendonly', 'recvonly'],
    ['sendrecv', 'recvonly', 'sendonly'],
    ['sendrecv', 'inactive', 'inactive'],
    ['sendonly', 'sendrecv', 'sendonly'],
    ['sendonly', 'sendonly', 'inactive'],
    ['recvonly', 'recvonly', 'inactive'],
    ['inactive', 'sendrecv', 'inactive'],
  ])('we wish %s and they %s: ours is %s', (wish, offered, direction) => {
    const { answer, agreed } = answerOffer({ ...ours, direction: wish }, { ...theirs, direction: offered })
    expect([answer.direction, agreed.direction]).toEqual([direction, direction])
    expect(readAnswer({ ...ours, direction: wish }, { ...theirs, direction: offered }).direction).toBe(
      direction,
    )
  })

  test('the address 0.0.0.0 is hold', () => {
    const { answer, agreed } = answerOffer(ours, { ...theirs, address: '0.0.0.0' })
    expect([answer.direction, agreed.direction]).toEqual(['recvonly', 'recvonly'])
  })
})

test('an answer has one codec, under the payload types of the offer', () => {
  const { answer } = answerOffer(ours, {
    ...theirs,
    codecs: [
      { name: 'PCMU', payloadType: 97 },
      { name: 'G722', payloadType: 9 },
    ],
    telephoneEvent: 96,
    comfortNoise: 13,
  })
  expect(answer.codecs).toEqual([{ name: 'PCMU', payloadType: 97 }])
  expect(answer.telephoneEvent).toBe(96)
  expect(answer.comfortNoise).toBeUndefined()
})

test('what agrees is the first codec of the answer, and events only if both have them', () => {
  const agreed = readAnswer(ours, theirs)
  expect(agreed.codec).toEqual({ name: 'PCMA', payloadType: 8 })
  expect(agreed.telephoneEvent).toBeUndefined()
  expect(readAnswer(ours, { ...theirs, telephoneEvent: 96 }).telephoneEvent).toEqual({
    payloadType: 96,
    clockHz: 8000,
  })
})

test('each side sends with its own key, under the tag and suite of the offer', () => {
  const suite = 'AES_CM_128_HMAC_SHA1_32'
  const { answer, agreed } = answerOffer(
    { ...ours, srtp: key(1) },
    { ...theirs, srtp: key(2, { tag: 5, suite }) },
  )
  expect(answer.srtp).toEqual(key(1, { tag: 5, suite }))
  expect(agreed).toMatchObject({ sendKey: answer.srtp, receiveKey: key(2, { tag: 5, suite }) })
})

describe('refusals', () => {
  const none: AudioDescription = { ...theirs, codecs: [] }
  test.each([
    ['an offer without audio', () => answerOffer(ours, { ...theirs, port: 0 }), 'no_audio'],
    ['an answer without audio', () => readAnswer(ours, { ...theirs, port: 0 }), 'no_audio'],
    ['no codec in an offer', () => answerOffer(ours, none), 'no_common_codec'],
    ['no codec in an answer', () => readAnswer(ours, none), 'no_common_codec'],
    [
      'a secure offer to us without keys',
      () => answerOffer(ours, { ...theirs, srtp: key(1) }),
      'srtp_required',
    ],
    ['an open offer to us with keys', () => answerOffer({ ...ours, srtp: key(1) }, theirs), 'srtp_required'],
    [
      'an open answer to a secure offer',
      () => readAnswer({ ...ours, srtp: key(1) }, theirs),
      'srtp_required',
    ],
    [
      'an answer with another tag',
      () => readAnswer({ ...ours, srtp: key(1) }, { ...theirs, srtp: key(2, { tag: 2 }) }),
      'srtp_unsupported',
    ],
  ])('%s', (_name, action, code) => {
    expect(codeOf(action)).toBe(code)
  })
})
