import type { CarrierCall } from '@vaani/telephony'
import { describe, expect, test } from 'vitest'
import { receive, respond, respondWithin, type SippStep } from './support/sipp-scenario.ts'
import { openCarrier, type OnFinished } from './support/softphone-line.ts'
import { startSipp } from './support/start-sipp.ts'

async function callSipp(onFinished: OnFinished, steps: readonly SippStep[]) {
  const { trunk, exitCode } = await startSipp(onFinished, steps)
  const carrier = openCarrier(onFinished, { trunk })
  const call: CarrierCall = carrier.dial({
    callId: 'call',
    to: '+9779812345678',
    ringTimeoutMs: 45_000,
    maxDurationMs: 60_000,
  })
  return { call, exitCode }
}

describe.concurrent('sipp as the trunk', () => {
  test.for([403, 404, 408, 410, 480, 484, 486, 488, 500, 503, 600, 603, 604])(
    'gets the ACK of its %i, which the call reports',
    { tags: 'sipp' },
    async (status, { onTestFinished }) => {
      const steps = [receive('INVITE'), respond(180), respond(status), receive('ACK')]
      const { call, exitCode } = await callSipp(onTestFinished, steps)
      expect(await call.ended).toMatchObject({ sipStatus: status, durationMs: 0 })
      expect(await exitCode).toBe(0)
    },
  )

  test('answers, echoes what it hears, and gets our BYE', { tags: 'sipp' }, async ({ onTestFinished }) => {
    const { call, exitCode } = await callSipp(onTestFinished, [
      receive('INVITE'),
      respond(180),
      // A trunk may ring more than once.
      respond(180),
      respond(200, { hasAudio: true }),
      receive('ACK'),
      receive('BYE'),
      respondWithin(200),
    ])
    await call.send(new Int16Array(50 * 320).fill(4000))
    await call.drained()
    call.hangUp()
    const ended = await call.ended
    expect(ended).toMatchObject({ outcome: 'completed', endedBy: 'agent' })
    expect(ended.quality?.packetsReceived).toBeGreaterThan(30)
    expect(await exitCode).toBe(0)
  })
})
