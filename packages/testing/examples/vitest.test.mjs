import { startReceiver, startVaani } from '@vaani/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { remind } from './reminders.mjs'

let vaani
beforeAll(async () => {
  vaani = await startVaani()
})
afterAll(() => vaani.stop())

test('a reminder is called, and its webhook is genuine', async () => {
  await using receiver = await startReceiver({ clock: vaani.clock })
  const events = ['call.completed']
  receiver.trust((await vaani.client.webhooks.createEndpoint({ url: receiver.url, events })).secret)
  const callId = await remind(vaani.client, '+9779812345678')
  const { event, signature } = await receiver.waitFor('call.completed')
  expect(signature).toBe('genuine')
  expect(event.data.call_id).toBe(callId)
})
