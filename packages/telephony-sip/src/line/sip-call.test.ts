import type { CarrierEvent } from '@vaani/telephony'
import type { CallAudio } from '@vaani/telephony/line'
import { expect, test } from 'vitest'
import type { LineCallListener } from '../dialog/line-call.ts'
import type { MediaSession } from '../media/media-session.ts'
import { offerAudio } from '../media/offer-audio.ts'
import type { AgreedAudio, Direction } from '../sdp/description.ts'
import { type MediaRequest, SipCall } from './sip-call.ts'

const QUALITY = { packetsSent: 1, packetsReceived: 1, lostFraction: 0, jitterMs: 0, mos: 4.4 }
const FRAME = new Int16Array(320).fill(1)
const OFFER = offerAudio({ address: '192.0.2.1', port: 4000, codecs: ['PCMU'] })

const agreed = (direction: Direction): AgreedAudio => ({
  local: OFFER,
  remote: OFFER,
  codec: { name: 'PCMU', payloadType: 0 },
  direction,
})

/** Makes a call between parts that note what it does with them. */
function makeCall(options: { readonly maxDurationMs?: number; readonly mediaFails?: boolean } = {}) {
  const notes: string[] = []
  const events: CarrierEvent[] = []
  let heardMs = 0
  const audio: CallAudio = {
    answer: () => void notes.push('answer'),
    wait: () => void notes.push('wait'),
    play(hear) {
      heardMs += 20
      hear(FRAME)
    },
    pass: () => void (heardMs += 20),
    heardMs: () => heardMs,
    flush: () => {},
    written: () => Promise.resolve(),
    end: (facts) => Promise.resolve({ type: 'ended', ...facts, durationMs: heardMs }),
  }
  let press = (_digit: string): void => undefined
  const media: MediaSession = {
    localPort: 4000,
    sampleRateHz: 16_000,
    agree: ({ direction }) => void notes.push(direction),
    tick(frame) {
      notes.push(frame ? 'speech' : 'silence')
      return FRAME
    },
    press: () => {},
    onKey: (receive) => void (press = receive),
    quality: () => QUALITY,
    close: () => void notes.push('close'),
  }
  const asked = Promise.withResolvers<{ request: MediaRequest; listener: LineCallListener }>()
  const ended = Promise.withResolvers<CarrierEvent>()
  const call = new SipCall({
    request: {
      id: 1,
      maxDurationMs: options.maxDurationMs ?? 60_000,
      receiveAudio: false,
    },
    farEnd: {
      connect(request, listener) {
        asked.resolve({ request, listener })
        return {
          hangUp: () => listener.onEnded({ outcome: 'completed', endedBy: 'agent' }),
          setHold: () => Promise.resolve(false),
        }
      },
      decline: () => void notes.push('decline'),
    },
    openMedia: () => (options.mediaFails ? Promise.reject(new Error('no ports')) : Promise.resolve(media)),
    describe: () => OFFER,
    audio,
    epochMs: () => 7,
    tellsFarewell: false,
    emit(event) {
      events.push(event)
      if (event.type === 'ended') ended.resolve(event)
    },
  })
  return {
    call,
    notes,
    events,
    asked: asked.promise,
    ended: ended.promise,
    press: (digit: string) => press(digit),
  }
}

test('a call that is held keeps its frames until the far end takes them again', async () => {
  const { call, asked, notes } = makeCall()
  const { listener } = await asked
  listener.onMedia(agreed('sendrecv'))
  listener.onAnswered('farewell')
  call.tick()
  listener.onMedia(agreed('recvonly'))
  call.tick()
  listener.onMedia(agreed('sendrecv'))
  call.tick()
  expect(notes).toEqual(['sendrecv', 'answer', 'speech', 'recvonly', 'silence', 'sendrecv', 'speech'])
})

test('early media gets silence, and neither speech nor keys count before the answer', async () => {
  const { call, asked, notes, events, press } = makeCall()
  const { listener } = await asked
  call.tick()
  listener.onMedia(agreed('sendrecv'))
  expect(call.tick()).toBe(false)
  press('1')
  listener.onAnswered('farewell')
  press('2')
  expect(call.tick()).toBe(true)
  expect(notes).toEqual(['wait', 'sendrecv', 'wait', 'silence', 'answer', 'speech'])
  expect(events).toEqual([
    { type: 'answered', atMs: 7 },
    { type: 'dtmf', digit: '2' },
  ])
})

test('a call ends at its limit in frames, and the agent would end it a second later', async () => {
  const { call, asked, ended } = makeCall({ maxDurationMs: 40 })
  const { request, listener } = await asked
  expect(request.maxDurationMs).toBe(1040)
  listener.onMedia(agreed('sendrecv'))
  listener.onAnswered('farewell')
  call.tick()
  call.tick()
  const end = { outcome: 'duration_limit', endedBy: 'duration_limit', durationMs: 40, quality: QUALITY }
  expect(await ended).toEqual({ type: 'ended', ...end })
  expect(call.tick()).toBe(false)
})

test('a call that is hung up before its sockets are open never rings', async () => {
  const { call, ended, notes } = makeCall()
  call.hangUp()
  expect(await ended).toEqual({ type: 'ended', outcome: 'canceled', endedBy: 'agent', durationMs: 0 })
  expect(notes).toEqual(['decline', 'close'])
})

test('a call without free ports fails', async () => {
  const { ended, notes } = makeCall({ mediaFails: true })
  expect(await ended).toMatchObject({ outcome: 'carrier_error', endedBy: 'carrier' })
  expect(notes).toEqual(['decline'])
})
