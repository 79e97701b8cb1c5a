import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startVaani } from '@vaani/testing'

let vaani
before(async () => {
  vaani = await startVaani({ now: new Date('2030-01-01T09:00:00Z') })
})
after(() => vaani.stop())

test('a call of tomorrow is made tomorrow', async () => {
  const [agent] = (await vaani.client.agents.list()).data
  const request = { to: '+9779812345678', agent_id: agent.agent_id, scheduled_at: '2030-01-02T09:00:00Z' }
  const { call_id } = await vaani.client.calls.place(request)
  await vaani.clock.advance(24 * 3_600_000)
  const call = await vaani.client.calls.waitUntilFinished(call_id)
  assert.equal(call.status, 'completed')
})
