import { describe, expect, test } from 'vitest'
import { createSoftphone } from '../src/softphone/create-softphone.ts'
import { openCarrier, type OnFinished } from './support/softphone-line.ts'
import { startKamailio } from './support/start-kamailio.ts'

async function callThroughKamailio(
  onFinished: OnFinished,
  login: { readonly username?: string; readonly password?: string },
) {
  const phone = await createSoftphone({ ringMs: 100 })
  onFinished(() => phone.close())
  const trunk = await startKamailio(onFinished, { phone: phone.trunk, password: 'right' })
  return openCarrier(onFinished, { trunk: { ...trunk, ...login } }).dial({
    callId: 'call',
    to: '+9779812345678',
    ringTimeoutMs: 45_000,
    maxDurationMs: 60_000,
  })
}

describe.concurrent('Kamailio as the trunk', () => {
  test(
    'challenges the call, and stays in its route to the end',
    { tags: 'kamailio' },
    async ({ onTestFinished }) => {
      const call = await callThroughKamailio(onTestFinished, { username: 'vaani', password: 'right' })
      await call.send(new Int16Array(50 * 320))
      await call.drained()
      call.hangUp()
      const ended = await call.ended
      expect(ended).toMatchObject({ outcome: 'completed', endedBy: 'agent' })
      expect(ended.quality?.packetsSent).toBeGreaterThanOrEqual(50)
      // The silent phone sends comfort noise: a few packets.
      expect(ended.quality?.packetsReceived).toBeGreaterThan(0)
    },
  )

  test.for([{ username: 'vaani', password: 'wrong' }, {}])(
    'ends a call at once that cannot prove who it is: %o',
    { tags: 'kamailio' },
    async (login, { onTestFinished }) => {
      const { ended } = await callThroughKamailio(onTestFinished, login)
      expect(await ended).toMatchObject({ outcome: 'carrier_error', endedBy: 'carrier', sipStatus: 407 })
    },
  )
})
