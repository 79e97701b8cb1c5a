import { sign } from 'node:crypto'
import { join } from 'node:path'
import { readFile } from 'node:fs/promises'
import { decodeWav } from '@vaani/pcm-audio'
import type { Carrier, CarrierEvent, DialRequest } from '@vaani/telephony'
import { type Deliver, inTurn, PEER_ACCOUNTS, PEER_NUMBERS } from '@vaani/test-services/call-provider'
import { describe, expect, test } from 'vitest'
import { freePort } from './support/free-port.ts'
import { CALLER_ID, makeFolder, openPeerLine } from './support/open-peer-line.ts'
import { createTwilioCarrier } from '../src/line/twilio-carrier.ts'
import { LINEAR_16_KHZ, MULAW } from '../src/provider/encodings.ts'

const dial = (carrier: Carrier, changes: Partial<DialRequest> = {}) =>
  carrier.dial({
    callId: 'test',
    to: PEER_NUMBERS.answers,
    ringTimeoutMs: 45_000,
    maxDurationMs: 60_000,
    ...changes,
  })

async function eventOf<Type extends CarrierEvent['type']>(call: ReturnType<typeof dial>, type: Type) {
  for await (const event of call.events) if (event.type === type) return event
  throw new Error(`The call ended without ${type}`)
}

/** Says a second of a tone, and hangs up. */
async function talk(call: ReturnType<typeof dial>, sampleRateHz = 8000) {
  await call.send(new Int16Array(sampleRateHz).fill(8000))
  await call.drained()
  call.hangUp()
  return call.ended
}

const twice: () => Deliver = () => {
  const deliver = inTurn()
  return (send, isFinal) => {
    deliver(send, isFinal)
    deliver(send, isFinal)
  }
}
/** Holds all reports until the last, and delivers the last first. */
const backwards: () => Deliver = () => {
  const deliver = inTurn()
  const held: Parameters<Deliver>[] = []
  return (...report) => {
    held.unshift(report)
    if (report[1]) for (const one of held.splice(0)) deliver(...one)
  }
}
const lost: () => Deliver = () => () => undefined
const DELIVERIES = { twice, backwards, lost }
const PROVIDERS = ['twilio', 'telnyx', 'vonage'] as const

// In real time: the calls mostly wait, so they do so beside each other.
describe.concurrent('calls whose reports come wrongly', () => {
  test.for(
    PROVIDERS.flatMap((provider) => Object.entries(DELIVERIES).map((one) => [provider, ...one] as const)),
  )(
    'an answered call of %s whose reports are %s',
    async ([provider, , deliver], { expect, onTestFinished }) => {
      const { carrier, peer } = await openPeerLine(onTestFinished, { provider, deliver: deliver() })
      expect(await talk(dial(carrier), carrier.sampleRateHz)).toMatchObject({
        outcome: 'completed',
        endedBy: 'agent',
        played: [{ sentAtMs: 0, durationMs: 1000 }],
      })
      expect(peer.calls[0]?.status).toBe('completed')
    },
  )

  test.for(['twice', 'backwards'] as const)(
    'a busy call keeps its reason if its reports are %s',
    async (kind, { expect, onTestFinished }) => {
      const { carrier } = await openPeerLine(onTestFinished, { deliver: DELIVERIES[kind]() })
      const ended = await dial(carrier, { to: PEER_NUMBERS.busy }).ended
      expect(ended).toMatchObject({ outcome: 'busy', endedBy: 'callee', sipStatus: 486, durationMs: 0 })
    },
  )

  test('the end of an answered call is asked for if no report tells of it', async ({
    expect,
    onTestFinished,
  }) => {
    const { carrier, peer } = await openPeerLine(onTestFinished, { deliver: lost() })
    const call = dial(carrier)
    await eventOf(call, 'answered')
    peer.calls[0]?.end('completed')
    expect(await call.ended).toMatchObject({ outcome: 'completed', endedBy: 'callee' })
  })

  test('a call of which nothing is reported is hung up, and is an error of the carrier', async ({
    expect,
    onTestFinished,
  }) => {
    const { carrier, peer } = await openPeerLine(onTestFinished, { deliver: lost() })
    const call = dial(carrier, { to: PEER_NUMBERS.neverAnswers, ringTimeoutMs: 500 })
    expect(await call.ended).toMatchObject({ outcome: 'carrier_error', endedBy: 'carrier' })
    expect(peer.calls[0]?.status).toBe('canceled')
  })
})

describe.concurrent('requests that go wrong', () => {
  test.for(['500_after', 'breaks_off_after'] as const)(
    'a call that exists although its creation failed (%s) goes on, and is not created again',
    async (fault, { expect, onTestFinished }) => {
      const { carrier, peer } = await openPeerLine(onTestFinished, { creations: [fault] })
      expect(await talk(dial(carrier))).toMatchObject({ outcome: 'completed', endedBy: 'agent' })
      expect([peer.creationsAsked(), peer.calls.length]).toEqual([1, 1])
    },
  )

  test('a 429 is asked again after its wait; one that asks for long is not', async ({
    expect,
    onTestFinished,
  }) => {
    const { carrier, peer } = await openPeerLine(onTestFinished, {
      creations: ['429', 'none', '429_for_long'],
    })
    expect(await talk(dial(carrier))).toMatchObject({ outcome: 'completed' })
    expect([peer.creationsAsked(), peer.calls.length]).toEqual([2, 1])
    const ended = await dial(carrier).ended
    expect(ended).toMatchObject({ outcome: 'carrier_error', retryAfterSeconds: 60 })
    expect(peer.creationsAsked()).toBe(3)
  })

  test('a refusal is the end', async ({ expect, onTestFinished }) => {
    const { carrier, peer } = await openPeerLine(onTestFinished, { creations: ['401'] })
    expect(await dial(carrier).ended).toMatchObject({ outcome: 'carrier_error', endedBy: 'carrier' })
    expect(peer.creationsAsked()).toBe(1)
  })

  test('a hang-up is repeated until it is taken', async ({ expect, onTestFinished }) => {
    const { carrier, peer } = await openPeerLine(onTestFinished, {
      hangUps: ['500', 'breaks_off'],
      deliver: lost(),
    })
    const call = dial(carrier, { to: PEER_NUMBERS.neverAnswers })
    await expect.poll(() => peer.calls[0]?.status).toBe('ringing')
    call.hangUp()
    expect(await call.ended).toMatchObject({ outcome: 'canceled', endedBy: 'agent' })
    expect(peer.calls[0]?.status).toBe('canceled')
  })

  test('a provider that cannot be reached was not asked', async ({ expect, onTestFinished }) => {
    const port = await freePort()
    const carrier = createTwilioCarrier({
      name: 'twilio',
      accountSid: `AC${'0'.repeat(32)}`,
      authToken: 'secret',
      apiUrl: `http://127.0.0.1:${await freePort()}`,
      callerId: CALLER_ID,
      publicUrl: `http://127.0.0.1:${port}`,
      listen: { address: '127.0.0.1', port },
    })
    onTestFinished(() => carrier.close())
    expect(await dial(carrier).ended).toMatchObject({ outcome: 'unreachable', endedBy: 'carrier' })
  })
})

describe.concurrent('media', () => {
  test.for(PROVIDERS)(
    'of %s is heard both ways, with keys, and the recording is what was played',
    async (provider, { expect, onTestFinished }) => {
      const { carrier, peer } = await openPeerLine(onTestFinished, { provider })
      const recordingPath = join(await makeFolder(onTestFinished), 'call.wav')
      const call = dial(carrier, { to: PEER_NUMBERS.echoes, receiveAudio: true, recordingPath })
      const heard: number[] = []
      const keys: string[] = []
      const reading = (async () => {
        for await (const event of call.events)
          if (event.type === 'dtmf') keys.push(event.digit)
          else if (event.type === 'audio') heard.push(...event.samples)
      })()
      const speech = Int16Array.from({ length: 9600 }, (_, index) => Math.round(12_000 * Math.sin(index / 7)))
      await call.send(speech)
      await call.drained()
      peer.calls[0]?.stream?.press('5')
      await expect.poll(() => keys).toEqual(['5'])
      call.hangUp()
      const { recording, durationMs } = await call.ended
      await reading

      const encoding = provider === 'vonage' ? LINEAR_16_KHZ : MULAW
      const bytes = encoding.encode(speech)
      const expected = encoding.decode(bytes)
      expect(peer.calls[0]?.heard.equals(bytes)).toBe(true)
      // A machine that is busy may let silence come between two frames.
      const spoken = (samples: Iterable<number>) => [...samples].filter((sample) => sample !== 0)
      expect(spoken(heard)).toEqual(spoken(expected))
      const recorded = decodeWav(await readFile(recording?.path ?? '')).samples
      expect(recorded.length).toBe((durationMs * carrier.sampleRateHz) / 1000)
      expect(spoken(recorded)).toEqual(spoken(speech))
    },
  )

  test('that was cleared is not heard, and does not count as played', async ({ expect, onTestFinished }) => {
    const { carrier, peer } = await openPeerLine(onTestFinished)
    const call = dial(carrier)
    const sending = call.send(new Int16Array(80_000).fill(8000))
    await expect.poll(() => peer.calls[0]?.heard.length ?? 0).toBeGreaterThan(1600)
    call.clear()
    await sending
    await call.drained()
    call.hangUp()
    const { played = [] } = await call.ended
    const playedBytes = played.reduce((sum, { durationMs }) => sum + durationMs * 8, 0)
    const heardBytes = peer.calls[0]?.heard.length ?? 0
    expect(playedBytes).toBeGreaterThan(0)
    // Frames on their way when it was cleared were perhaps heard.
    expect(playedBytes).toBeLessThanOrEqual(heardBytes)
    expect(heardBytes).toBeLessThan(80_000)
  })

  test('that breaks off ends the call as an error of the carrier, and hangs it up', async ({
    expect,
    onTestFinished,
  }) => {
    const { carrier, peer } = await openPeerLine(onTestFinished, { deliver: lost() })
    const call = dial(carrier)
    await eventOf(call, 'answered')
    await expect.poll(() => peer.calls[0]?.heard.length).toBe(0)
    void call.send(new Int16Array(1600).fill(8000))
    await call.drained()
    peer.calls[0]?.stream?.breakOff()
    expect(await call.ended).toMatchObject({ outcome: 'carrier_error', endedBy: 'carrier' })
    await expect.poll(() => peer.calls[0]?.isOver).toBe(true)
  })

  test('that shows a token again is turned away', async ({ expect, onTestFinished }) => {
    const { carrier, peer } = await openPeerLine(onTestFinished)
    const call = dial(carrier)
    await eventOf(call, 'answered')
    const second = peer.calls[0]?.connectAgain()
    await expect.poll(() => second?.closeReason).toBe('unknown token')
    expect(await talk(call)).toMatchObject({ outcome: 'completed' })
  })
})

describe.concurrent('health', () => {
  const untilKnown = (carrier: Carrier) => expect.poll(() => carrier.health?.().state).not.toBe('unknown')

  test('is up once the provider takes our credentials', async ({ expect, onTestFinished }) => {
    const { carrier } = await openPeerLine(onTestFinished)
    await untilKnown(carrier)
    expect(carrier.health?.()).toEqual({ state: 'up', sinceMs: expect.any(Number) })
  })

  test('is down if the provider refuses them, and the token is in no report', async ({
    expect,
    onTestFinished,
  }) => {
    const { peer } = await openPeerLine(onTestFinished)
    const port = await freePort()
    const carrier = createTwilioCarrier({
      ...PEER_ACCOUNTS.twilio,
      name: 'twilio',
      authToken: 'wrong',
      apiUrl: peer.url,
      callerId: CALLER_ID,
      publicUrl: `http://127.0.0.1:${port}`,
      listen: { address: '127.0.0.1', port },
    })
    onTestFinished(() => carrier.close())
    await untilKnown(carrier)
    expect(carrier.health?.()).toEqual({
      state: 'down',
      reason: 'unauthorized',
      sinceMs: expect.any(Number),
    })
  })

  test('is down as failed if the port is taken', async ({ expect, onTestFinished }) => {
    const { peer } = await openPeerLine(onTestFinished)
    const taken = { address: '127.0.0.1', port: Number(new URL(peer.url).port) }
    let failure: Error | undefined
    const { carrier } = await openPeerLine(onTestFinished, {
      settings: { listen: taken, onCrash: (error) => (failure = error) },
    })
    await expect.poll(() => failure).toMatchObject({ code: 'EADDRINUSE' })
    expect(carrier.health?.()).toMatchObject({ state: 'down', reason: 'failed' })
  })
})

test('a report with a forged signature changes nothing', async ({ onTestFinished }) => {
  const { carrier, peer } = await openPeerLine(onTestFinished)
  const call = dial(carrier)
  await eventOf(call, 'answered')
  const [placed] = peer.calls
  const body = new URLSearchParams({
    AccountSid: PEER_ACCOUNTS.twilio.accountSid,
    CallSid: placed?.sid ?? '',
    CallStatus: 'completed',
    SequenceNumber: '9',
  })
  const url = placed?.parameters.get('StatusCallback') ?? ''
  const { status } = await fetch(url, { method: 'POST', body, headers: { 'x-twilio-signature': 'forged' } })
  expect(status).toBe(403)
  expect(await talk(call)).toMatchObject({ outcome: 'completed', endedBy: 'agent' })
  expect(placed?.responses.every((one) => one === 204)).toBe(true)
})

test('a report that Telnyx signed for another body, or long ago, changes nothing', async ({
  onTestFinished,
}) => {
  const { carrier, peer } = await openPeerLine(onTestFinished, { provider: 'telnyx' })
  const call = dial(carrier)
  await eventOf(call, 'answered')
  const [placed] = peer.calls
  const body = new URLSearchParams({
    AccountSid: PEER_ACCOUNTS.telnyx.accountSid,
    CallSid: placed?.sid ?? '',
    CallStatus: 'completed',
    SequenceNumber: '9',
  })
  const post = async (signed: string, timestamp: number) => {
    const signature = sign(null, Buffer.from(`${timestamp}|${signed}`), PEER_ACCOUNTS.telnyx.peerKey)
    const headers = {
      'telnyx-timestamp': String(timestamp),
      'telnyx-signature-ed25519': signature.toString('base64'),
    }
    const url = placed?.parameters.get('StatusCallback') ?? ''
    return (await fetch(url, { method: 'POST', body, headers })).status
  }
  const nowSeconds = Math.floor(Date.now() / 1000)
  expect(await post('another body', nowSeconds)).toBe(403)
  expect(await post(body.toString(), nowSeconds - 1000)).toBe(403)
  expect(await talk(call)).toMatchObject({ outcome: 'completed', endedBy: 'agent' })
  expect(placed?.responses.every((one) => one === 204)).toBe(true)
})
