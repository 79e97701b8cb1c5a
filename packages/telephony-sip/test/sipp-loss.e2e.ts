import { expect, test } from 'vitest'
import { seededRandom } from './seeded-random.ts'
import { openSignalling } from './support/open-signalling.ts'
import { linger, receive, receiveUnlessLost, respond, respondWithin } from './support/sipp-scenario.ts'
import { startSipp } from './support/start-sipp.ts'
import { openRelay } from './support/udp-relay.ts'

const CALLS = 240
const LOSS = 0.3

test(
  'the far end counts 240 calls at once over a network that loses 30 % both ways, and each of ours ends once',
  { tags: 'sipp' },
  async ({ onTestFinished }) => {
    const random = seededRandom(1)
    const relay = await openRelay(onTestFinished, () => (random() < LOSS ? 0 : 1))
    const steps = [
      receive('INVITE'),
      respond(200, { hasAudio: true, isRepeated: true }),
      // Our BYE may overtake it: the next ACK would follow the next 200.
      receiveUnlessLost('ACK'),
      receive('BYE'),
      respondWithin(200),
      // Our BYE may come again for 32 s.
      linger(33_000),
    ]
    const sipp = await startSipp(onTestFinished, steps, {
      // What comes late counts as a call too.
      calls: 10 * CALLS,
      contactPort: relay.port,
    })
    relay.connect(sipp.port)
    const place = await openSignalling(onTestFinished, relay.port)
    const calls = Array.from({ length: CALLS }, () => place({ ringTimeoutMs: 120_000 }))
    for (const { call, hears } of calls) void hears('answered').then(() => call.hangUp())
    await Promise.all(calls.map(({ hears }) => hears('ended')))
    const ends = calls.map(({ heard }) => heard.filter((line) => line.startsWith('ended')))
    await sipp.stop()
    const { succeeded } = await sipp.count()
    const completed = ends.filter(([end]) => end === 'ended completed agent').length
    expect(ends.every(({ length }) => length === 1)).toBe(true)
    expect(succeeded).toBeLessThanOrEqual(CALLS)
    // All copies of an INVITE, or of its 200, are lost in one call of thousands.
    expect(completed).toBeGreaterThan(CALLS * 0.97)
    expect(succeeded).toBeGreaterThan(CALLS * 0.9)
  },
)
