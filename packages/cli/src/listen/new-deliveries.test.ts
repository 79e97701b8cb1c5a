import type { Fetch } from '@vaani/client'
import { expect, test } from 'vitest'
import { createEnvironment, createFastClock } from '../test/run.ts'
import { runCli } from '../run-cli.ts'

const delivery = (number: number) => ({
  delivery_id: `whd_${number}`,
  event_id: `evt_${number}`,
  event_type: 'call.queued',
  body: `{"number":${number}}`,
})

test('announces that it reads the list only after it knows the earlier deliveries', async () => {
  const interruption = new AbortController()
  const before = Promise.withResolvers<Response>()
  const page = (...numbers: number[]): Response =>
    Response.json({ data: numbers.map(delivery), has_more: false, next_cursor: null })
  const asked: string[] = []
  const received: string[] = []
  let looks = 0
  const fetch: Fetch = async (url, { method, body }) => {
    const { pathname } = new URL(url)
    asked.push(`${method} ${pathname}`)
    if (pathname === '/hooks') {
      received.push(await new Response(body ?? null).text())
      interruption.abort()
      return new Response()
    }
    if (pathname === '/webhooks/deliveries') return looks++ === 0 ? before.promise : page(2, 1)
    if (pathname === '/webhooks/deliveries/whd_2') return Response.json(delivery(2))
    if (method === 'GET') return page()
    return Response.json({ error: { code: 'invalid_request', param: 'url' } }, { status: 400 })
  }
  const fast = createFastClock()
  const { environment, stdout } = createEnvironment({
    fetch,
    // The pauses between polls pass at once; time limits never end.
    clock: {
      ...fast,
      after: (delayMs, action) => (delayMs > 2000 ? () => undefined : fast.after(delayMs, action)),
    },
    signal: interruption.signal,
  })
  const code = runCli(
    [
      'webhooks',
      'listen',
      '--forward-to',
      'http://127.0.0.1:1/hooks',
      '--port',
      '0',
      '--event',
      'call.queued',
    ],
    environment,
  )
  await expect.poll(() => asked).toContain('GET /webhooks/deliveries')
  expect(stdout()).toBe('')
  before.resolve(page(1))
  expect(await code).toBe(0)
  expect(stdout()).toContain('reading its deliveries')
  expect(received).toEqual([delivery(2).body])
})
