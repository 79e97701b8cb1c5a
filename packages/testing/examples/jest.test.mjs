import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { Vaani } from '@vaani/client'
import { startFaultProxy, startVaani } from '@vaani/testing'
import { remind } from './reminders.mjs'

let vaani
beforeAll(async () => {
  vaani = await startVaani()
}, 60_000)
afterAll(() => vaani.stop())

test('a reminder is called once, also where the answer was lost', async () => {
  const proxy = await startFaultProxy({ target: vaani.url })
  proxy.plan(null, 'lost answer')
  const client = new Vaani({ apiKey: vaani.key, baseUrl: proxy.url })
  const callId = await remind(client, '+9779812345678')
  const { data } = await vaani.client.calls.list()
  expect(data.map((call) => call.call_id)).toEqual([callId])
  await proxy[Symbol.asyncDispose]()
})
