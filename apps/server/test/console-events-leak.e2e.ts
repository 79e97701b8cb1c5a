/** A stream of events that stands for long, while others come and go. */
import { getEventListeners } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { thorough } from '@vaani/test-services/thorough'
import { until } from '@vaani/test-services/until'
import { expect, test } from 'vitest'
import { PageStream } from '../src/features/console/events/page-stream.ts'
import { followEvents, type PageOptions } from './support/page-events.ts'
import { seriesOf } from './support/series.ts'
import { startTestServer } from './support/test-server.ts'

const DURATION_MS = thorough({ usual: 5000, long: 10 * 60_000 })
const TIMEOUT_MS = DURATION_MS + 300_000
const PAGES = 4
/** What a process remembers after some time in any case. In the long tests, streams that leak are more. */
const HEAP_BYTES = 20_000_000
/** What the pool of the server may open meanwhile. */
const DATABASE_CONNECTIONS = 20

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const connections = (): number =>
  process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length

/** Every stream that was opened, and how many of them are open. */
const opened: WeakRef<PageStream>[] = []
let open = 0
const { begin } = PageStream.prototype
PageStream.prototype.begin = function (...given) {
  opened.push(new WeakRef(this))
  open++
  this.body.once('close', () => open--)
  begin.apply(this, given)
}

test('leaves nothing of the others behind, and misses nothing', { timeout: TIMEOUT_MS }, async () => {
  await using server = await startTestServer({ config: { metricsPort: 0 } })
  const { database, makeId, pool, stopping } = server.context
  const { accountId, key } = await server.createAccount()
  async function signIn(): Promise<PageOptions> {
    const { body, headers } = await server.json<{ key_id: string }>('/console/session', {
      key: null,
      body: { key },
      headers: { 'x-vaani-console': '1' },
    })
    return { keyId: body.key_id, cookie: headers.get('set-cookie')?.split(';', 1)[0] ?? '' }
  }
  const write = (objectId: string) =>
    database
      .insertInto('events')
      .values({
        event_id: makeId('event'),
        account_id: accountId,
        livemode: false,
        type: 'call.failed',
        object_id: objectId,
        body: '{}',
        created_at: new Date(),
      })
      .execute()
  const others = await signIn()
  async function comeAndGo(round: number): Promise<void> {
    const pages = await Promise.all(Array.from({ length: PAGES }, () => followEvents(server.url, others)))
    await Promise.all(pages.map((page) => page.until('reset')))
    await write(`call_${round}`)
    await Promise.all(pages.map((page) => page.until('call.failed', `call_${round}`)))
    for (const page of pages) page[Symbol.dispose]()
    // Until the server knows, so that the bound of the session leaves room for the next.
    await until(
      () => open,
      (count) => count === 1,
    )
  }

  using page = await followEvents(server.url, await signIn())
  await page.until('reset')
  await comeAndGo(0)
  const listeners = () => getEventListeners(stopping, 'abort').length
  collectGarbage()
  const before = {
    listeners: listeners(),
    connections: connections(),
    heapBytes: process.memoryUsage().heapUsed,
  }
  const endMs = performance.now() + DURATION_MS
  let rounds = 0
  while (performance.now() < endMs) await comeAndGo(++rounds)

  await until(
    () => {
      collectGarbage()
      return opened.filter((stream) => stream.deref() !== undefined).length
    },
    (held) => held === 1,
  )
  expect(listeners()).toBe(before.listeners)
  expect(connections()).toBeLessThanOrEqual(before.connections + DATABASE_CONNECTIONS)
  // Once, because the answers that a test gets are kept to its end.
  expect(seriesOf(await server.scrape(), 'vaani_console_streams')).toEqual({ '': 1 })
  expect(pool.waitingCount).toBe(0)
  expect(process.memoryUsage().heapUsed - before.heapBytes).toBeLessThan(HEAP_BYTES)
  const told = page.events.map(({ data }) => data['object_id']).filter((id) => id !== undefined)
  expect(told).toEqual(Array.from({ length: rounds + 1 }, (_, round) => `call_${round}`))
  expect(page.hasEnded()).toBe(false)
})
