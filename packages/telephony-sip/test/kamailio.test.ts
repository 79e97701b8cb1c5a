import type { DialRequest } from '@vaani/telephony'
import { describe, expect, test } from 'vitest'
import type { Trunk } from '../src/agent/user-agent.ts'
import { createSoftphone } from '../src/softphone/create-softphone.ts'
import { openSignalling } from './support/open-signalling.ts'
import { openCarrier, type OnFinished } from './support/softphone-line.ts'
import { startKamailio } from './support/start-kamailio.ts'
import { openRelay } from './support/udp-relay.ts'
import { SIMULATOR_NUMBERS } from '../src/softphone/simulator-numbers.ts'

const LOGIN = { username: 'vaani', password: 'right' }

async function callThroughKamailio(
  onFinished: OnFinished,
  changes: Partial<Trunk>,
  request: Partial<DialRequest> = {},
) {
  const phone = await createSoftphone({ ringMs: 100 })
  onFinished(() => phone.close())
  const trunk = await startKamailio(onFinished, { phone: phone.trunk, password: 'right' })
  return openCarrier(onFinished, { trunk: { ...trunk, ...changes } }).dial({
    callId: 'call',
    to: '+9779812345678',
    ringTimeoutMs: 45_000,
    maxDurationMs: 60_000,
    ...request,
  })
}

describe.concurrent('Kamailio as the trunk', () => {
  test.for(['udp', 'tcp'] as const)(
    'challenges the call, and stays in its route to the end: %s',
    { tags: 'kamailio' },
    async (transport, { onTestFinished }) => {
      const call = await callThroughKamailio(onTestFinished, { ...LOGIN, transport })
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

  test(
    'passes the CANCEL on when the ring time is over',
    { tags: 'kamailio' },
    async ({ onTestFinished }) => {
      const to = SIMULATOR_NUMBERS.neverAnswers.number
      const { ended } = await callThroughKamailio(onTestFinished, LOGIN, { to, ringTimeoutMs: 500 })
      expect(await ended).toMatchObject({ outcome: 'no_answer', endedBy: 'agent', sipStatus: 487 })
    },
  )

  test(
    'gets and sends each message three times, and sees one call',
    { tags: 'kamailio' },
    async ({ onTestFinished }) => {
      const relay = await openRelay(onTestFinished, () => 3)
      const phone = await createSoftphone({ ringMs: 100 })
      onTestFinished(() => phone.close())
      const options = { phone: phone.trunk, password: LOGIN.password, relayPort: relay.port }
      const { port = 0 } = await startKamailio(onTestFinished, options)
      relay.connect(port)
      const place = await openSignalling(onTestFinished, relay.port, LOGIN)
      const { call, heard, hears } = place()
      await hears('answered')
      call.hangUp()
      await hears('ended')
      expect(heard).toEqual(['ringing', 'media sendrecv', 'answered', 'ended completed agent'])
      // At least INVITE, 407, ACK, INVITE, 180, 200 and ACK came through the relay.
      expect(relay.count()).toBeGreaterThanOrEqual(7)
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
