import type { Carrier, CarrierCall, DialRequest } from '@vaani/telephony'
import { describe, expect, test } from 'vitest'
import { freePort } from '../../test/support/free-port.ts'
import { openCarrier, openSoftphoneLine } from '../../test/support/softphone-line.ts'
import { SIMULATOR_NUMBERS } from '../softphone/simulator-numbers.ts'

const FRAME_SAMPLES = 320
const PATIENCE = { timeout: 20_000 }
const { pressesDigits, hangsUp, lineDrops, echoes } = SIMULATOR_NUMBERS
const LEVELS = [2000, 6000, 10_000, 14_000]
/** Half the distance of levels: the codec quantizes the loudest in steps of 512. */
const TOLERANCE = 2000

const dial = (carrier: Carrier, changes: Partial<DialRequest> = {}): CarrierCall =>
  carrier.dial({
    callId: 'call',
    to: '+9779812345678',
    ringTimeoutMs: 45_000,
    maxDurationMs: 60_000,
    ...changes,
  })

const levelOf = (frame: Int16Array): number | undefined =>
  LEVELS.find((level) => frame.every((sample) => Math.abs(sample - level) < TOLERANCE))

describe.concurrent('a call over SIP and RTP', () => {
  test.for([
    { transport: 'udp', codecs: ['PCMU'], srtp: 'off' },
    { transport: 'tcp', codecs: ['PCMA'], srtp: 'off' },
    { transport: 'udp', codecs: ['G722'], srtp: 'required' },
  ] as const)(
    'reaches the far end in order, and reports its quality: %o',
    async (line, { onTestFinished }) => {
      const heard: (number | undefined)[] = []
      const carrier = await openSoftphoneLine(onTestFinished, {
        ...line,
        hear: (_call, frame) => heard.push(levelOf(frame)),
      })
      const call = dial(carrier)
      for (const level of LEVELS) await call.send(new Int16Array(25 * FRAME_SAMPLES).fill(level))
      await call.drained()
      call.hangUp()
      const { quality } = await call.ended
      const levels = [...new Set(heard.filter((level) => level !== undefined))]
      // Beside other work the far end may hear some too late, and drop them; the tests of its media hold every frame.
      expect(levels).not.toEqual([])
      expect(levels).toEqual(LEVELS.filter((level) => levels.includes(level)))
      expect(quality?.packetsSent).toBeGreaterThanOrEqual(100)
      expect(quality?.mos).toBeGreaterThanOrEqual(1)
    },
  )

  test('hears the far end', async ({ onTestFinished }) => {
    const call = dial(await openSoftphoneLine(onTestFinished), { to: echoes.number, receiveAudio: true })
    await call.send(new Int16Array(100 * FRAME_SAMPLES).fill(6000))
    let isHeard = false
    for await (const event of call.events) {
      isHeard = event.type === 'audio' && levelOf(event.samples) === 6000
      if (isHeard) break
    }
    expect(isHeard).toBe(true)
    call.hangUp()
    await call.ended
  })

  test('hears the keys that the far end presses', async ({ onTestFinished }) => {
    const call = dial(await openSoftphoneLine(onTestFinished), { to: pressesDigits.number })
    let keys = ''
    for await (const event of call.events) {
      if (event.type === 'dtmf') keys += event.digit
      if (keys.length === 4) break
    }
    expect(keys).toBe('123#')
    call.hangUp()
    await call.ended
  })

  test.for([
    [hangsUp.number, { outcome: 'completed', endedBy: 'callee' }],
    [lineDrops.number, { outcome: 'carrier_error', endedBy: 'carrier' }],
  ] as const)('ends with the far end: %s', async ([to, end], { onTestFinished }) => {
    const { ended } = dial(await openSoftphoneLine(onTestFinished), { to })
    expect(await ended).toMatchObject({ ...end, played: [] })
  })

  test('fails without a way to the trunk, and so does its worker', async ({ onTestFinished }) => {
    const crashes: Error[] = []
    const carrier = openCarrier(onTestFinished, {
      trunk: { host: 'trunk.invalid', transport: 'udp' },
      onCrash: (error) => crashes.push(error),
    })
    expect(await dial(carrier).ended).toMatchObject({ outcome: 'carrier_error', endedBy: 'carrier' })
    expect(crashes).toHaveLength(1)
    expect(carrier.health?.()).toMatchObject({ state: 'down', reason: 'failed' })
  })

  test('knows before its first call that the trunk responds', async ({ onTestFinished, expect }) => {
    const carrier = await openSoftphoneLine(onTestFinished)
    expect(carrier.health?.()).toEqual({ state: 'unknown' })
    await expect.poll(() => carrier.health?.(), PATIENCE).toMatchObject({ state: 'up' })
  })

  test('knows before its first call that the trunk is gone', async ({ onTestFinished, expect }) => {
    const carrier = openCarrier(onTestFinished, {
      trunk: { host: '127.0.0.1', port: await freePort(), transport: 'tcp' },
    })
    await expect
      .poll(() => carrier.health?.(), PATIENCE)
      .toMatchObject({ state: 'down', reason: 'unreachable' })
  })

  test('is carried by a worker that does not start before the first call, if the trunk is not watched', async ({
    onTestFinished,
  }) => {
    const carrier = openCarrier(onTestFinished, {
      trunk: { host: 'trunk.invalid', transport: 'udp', keepAlive: false },
    })
    await carrier.close()
    expect(carrier.health?.()).toEqual({ state: 'unknown' })
    expect(() => dial(carrier)).toThrow('closed')
  })
})
