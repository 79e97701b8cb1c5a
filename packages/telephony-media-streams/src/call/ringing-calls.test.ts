import type { IncomingRing, WorkerCall } from '@vaani/telephony/line'
import { expect, test } from 'vitest'
import { createRingingCalls } from './ringing-calls.ts'

const CALL: WorkerCall = {
  id: 7,
  maxDurationMs: 60_000,
  receiveAudio: false,
  ring: {
    samples: new Int16Array(new SharedArrayBuffer(2)),
    cells: new Int32Array(new SharedArrayBuffer(16)),
    frameSamples: 1,
    capacityFrames: 1,
  },
}

/** Calls that ring for as long as the test lets them. */
function open() {
  const rings: IncomingRing[] = []
  const gone: number[] = []
  const taken: string[] = []
  const missed: number[] = []
  let expire: () => void = () => undefined
  const calls = createRingingCalls({
    provider: {
      isAuthentic: ({ url, body }) => url === 'https://x.example/incoming' && body !== 'forged',
      incoming: {
        readCall: (body) => (body === 'other' ? undefined : { callSid: body, to: '+97714412345' }),
        connect: (mediaUrl, token) => `connect ${mediaUrl} ${token}`,
        refuse: (reason) => `refuse ${reason}`,
      },
    },
    publicUrl: 'https://x.example',
    take: (_, callSid) => {
      taken.push(callSid)
      return 'token'
    },
    miss: ({ id }) => void missed.push(id),
    onRing: (ring) => void rings.push(ring),
    onGone: (incomingId) => void gone.push(incomingId),
    after: (_, action) => {
      expire = action
      return () => (expire = () => undefined)
    },
  })
  const ring = (body = 'CA1') => calls.ring({ headerOf: () => undefined, body })
  return { calls, rings, gone, taken, missed, ring, expire: () => expire() }
}

test('an answered call is connected to our socket, with its token', async () => {
  const { calls, ring, rings, taken, gone, expire } = open()
  const ringing = ring()
  expect(rings).toEqual([{ incomingId: 1, to: '+97714412345' }])
  calls.answer(1, CALL)
  expect(await ringing?.instructions).toBe('connect wss://x.example/media token')
  // The provider has its instructions, and closes its request.
  ringing?.giveUp()
  expire()
  expect([taken, gone]).toEqual([['CA1'], []])
})

test('a refused call is told why, once', async () => {
  const { calls, ring } = open()
  const ringing = ring()
  calls.refuse(1, 'busy')
  calls.refuse(1, 'rejected')
  expect(await ringing?.instructions).toBe('refuse busy')
})

test('a call for which nobody decides is refused before the provider gives up', async () => {
  const { calls, ring, gone, missed, expire } = open()
  const ringing = ring()
  expire()
  expect(await ringing?.instructions).toBe('refuse unavailable')
  calls.answer(1, CALL)
  expect([gone, missed]).toEqual([[1], [CALL.id]])
})

test('a webhook that is forged, or about something else, rings nobody', () => {
  const { ring, rings } = open()
  expect([ring('forged'), ring('other')]).toEqual([undefined, undefined])
  expect(rings).toEqual([])
})
