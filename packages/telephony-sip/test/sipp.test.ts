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
  test.for([
    [403, 'carrier_error'],
    [404, 'unreachable'],
    [408, 'no_answer'],
    [410, 'unreachable'],
    [480, 'no_answer'],
    [484, 'unreachable'],
    [486, 'busy'],
    [487, 'no_answer'],
    [488, 'carrier_error'],
    [500, 'carrier_error'],
    [503, 'carrier_error'],
    [600, 'busy'],
    [603, 'rejected'],
    [604, 'unreachable'],
    [607, 'rejected'],
    [608, 'rejected'],
  ] as const)(
    'gets the ACK of its %i, which ends the call as %s',
    { tags: 'sipp' },
    async ([status, outcome], { onTestFinished }) => {
      const steps = [receive('INVITE'), respond(180), respond(status), receive('ACK')]
      const { call, exitCode } = await callSipp(onTestFinished, steps)
      expect(await call.ended).toMatchObject({ sipStatus: status, outcome, durationMs: 0 })
      expect(await exitCode).toBe(0)
    },
  )

  test('refines a general status by its Q.850 cause', { tags: 'sipp' }, async ({ onTestFinished }) => {
    const headers = ['Reason: Q.850;cause=17;text="User busy"']
    const steps = [receive('INVITE'), respond(180), respond(500, { headers }), receive('ACK')]
    const { call } = await callSipp(onTestFinished, steps)
    expect(await call.ended).toMatchObject({ sipStatus: 500, outcome: 'busy', q850Cause: 17 })
  })

  test('asks to be left alone for a while', { tags: 'sipp' }, async ({ onTestFinished }) => {
    const steps = [receive('INVITE'), respond(503, { headers: ['Retry-After: 30'] }), receive('ACK')]
    const { call } = await callSipp(onTestFinished, steps)
    expect(await call.ended).toMatchObject({ outcome: 'carrier_error', retryAfterSeconds: 30 })
  })

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
