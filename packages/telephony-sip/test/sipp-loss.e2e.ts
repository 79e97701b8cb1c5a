import { expect, test } from 'vitest'
import { seededRandom } from './seeded-random.ts'
import { openSignalling } from './support/open-signalling.ts'
import { linger, receive, receiveUnlessLost, respond, respondWithin } from './support/sipp-scenario.ts'
import { startSipp } from './support/start-sipp.ts'
import { openRelay } from './support/udp-relay.ts'

const CALLS = 240
const LOSS = 0.3

test(
  '240 calls at once end once each over a network that loses 30 % both ways, and every answered one gets a BYE',
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
    const completed = ends.filter(([end]) => end === 'ended completed agent').length
    expect(ends.every(({ length }) => length === 1)).toBe(true)
    // An INVITE is sent for 32 s. On a slow machine, or with much bad luck, none gets its answer in that time.
    expect(ends.flat().every((end) => /^ended (completed agent|unreachable carrier)$/.test(end))).toBe(true)
    // What sipp itself calls a success depends on the order in which ACK and BYE come, and so on how fast it is.
    expect(relay.arrived('BYE').size).toBe(completed)
    expect(completed).toBeGreaterThan(CALLS / 2)
  },
)
