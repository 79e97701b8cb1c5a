import { describe, expect, test } from 'vitest'
import { createService, never, refusal } from '../../test/support/service.ts'
import { AbortedError } from '../errors.ts'
import type { Call } from '../generated/types.ts'
import { createCalls } from '../resources/calls.ts'

const call = (number: number): Call => ({
  call_id: `call_${number}`,
  status: 'completed',
  to: '+9779812345678',
  agent_id: 'reminder',
  language: 'ne-NP',
  livemode: false,
  carrier: 'simulator',
  created_at: '2026-01-01T00:00:00Z',
})

/** Creates a service with this many calls, two per page. */
const serviceOf = (total: number) =>
  createService(({ url }) => {
    const at = Number(url.searchParams.get('cursor') ?? 0)
    const data = [at, at + 1].filter((number) => number < total).map(call)
    const next_cursor = at + 2 < total ? String(at + 2) : null
    return Response.json({ data, has_more: next_cursor !== null, next_cursor })
  })

async function idsOf(calls: AsyncIterable<Call>): Promise<string[]> {
  return (await Array.fromAsync(calls)).map(({ call_id }) => call_id)
}

test.each([0, 1, 2, 3, 4, 5])(
  'a list of %i yields every entry of every page once, in order',
  async (total) => {
    const { options, requests } = serviceOf(total)
    expect(await idsOf(createCalls(options).list())).toEqual(
      Array.from({ length: total }, (_, number) => `call_${number}`),
    )
    expect(requests).toHaveLength(Math.max(1, Math.ceil(total / 2)))
  },
)

test('requests every page with the query of the first', async () => {
  const { options, requests } = serviceOf(5)
  await idsOf(createCalls(options).list({ status: 'failed', limit: 2 }))
  expect(requests.map(({ url }) => url.search)).toEqual([
    '?status=failed&limit=2',
    '?status=failed&limit=2&cursor=2',
    '?status=failed&limit=2&cursor=4',
  ])
})

test('awaiting a list gives its first page, with the response metadata', async () => {
  const { options, requests } = serviceOf(5)
  const list = createCalls(options).list()
  expect(await list).toMatchObject({ has_more: true, next_cursor: '2' })
  expect((await list.withResponse()).status).toBe(200)
  expect(requests).toHaveLength(1)
})

test('requests pages only when they are needed: leaving the loop stops the requests', async () => {
  const { options, requests } = serviceOf(100)
  let count = 0
  for await (const _ of createCalls(options).list()) if ((count += 1) === 3) break
  expect(requests).toHaveLength(2)
})

test('a list can be iterated again from its first page, which is requested only once', async () => {
  const { options, requests } = serviceOf(3)
  const list = createCalls(options).list()
  expect(await idsOf(list)).toEqual(await idsOf(list))
  expect(requests).toHaveLength(3)
})

test('yields pages one by one', async () => {
  const { options, requests } = serviceOf(5)
  const sizes: number[] = []
  for await (const { data } of createCalls(options).list().pages()) {
    sizes.push(data.length)
    expect(requests).toHaveLength(sizes.length)
  }
  expect(sizes).toEqual([2, 2, 1])
})

test.each([
  [1, 1, 1],
  [2, 2, 1],
  [3, 3, 2],
  [100, 5, 3],
])('toArray with a limit of %i returns %i entries with %i requests', async (limit, count, asked) => {
  const { options, requests } = serviceOf(5)
  expect(await createCalls(options).list().toArray({ limit })).toHaveLength(count)
  expect(requests).toHaveLength(asked)
})

test.each([0, -1, NaN])('toArray refuses a limit of %d', async (limit) => {
  await expect(createCalls(serviceOf(5).options).list().toArray({ limit })).rejects.toThrow(RangeError)
})

describe('a list ends', () => {
  test('with an AbortedError on an abort between pages or within one', async () => {
    const controller = new AbortController()
    const { options, requests } = createService((sent, number) => {
      if (number === 1) return Response.json({ data: [call(1)], has_more: true, next_cursor: '2' })
      queueMicrotask(() => controller.abort())
      return never(sent)
    })
    const seen: string[] = []
    const reading = async (): Promise<void> => {
      for await (const { call_id } of createCalls(options).list({}, { signal: controller.signal }))
        seen.push(call_id)
    }
    await expect(reading()).rejects.toBeInstanceOf(AbortedError)
    expect(seen).toEqual(['call_1'])
    expect(requests).toHaveLength(2)
    await expect(idsOf(createCalls(options).list({}, { signal: controller.signal }))).rejects.toBeInstanceOf(
      AbortedError,
    )
    expect(requests).toHaveLength(2)
  })

  test('with the error of a page, after the entries before it', async () => {
    const { options } = createService((_, number) =>
      number === 1
        ? Response.json({ data: [call(1)], has_more: true, next_cursor: '2' })
        : refusal(403, 'forbidden'),
    )
    const calls = createCalls(options).list()[Symbol.asyncIterator]()
    expect((await calls.next()).value).toEqual(call(1))
    await expect(calls.next()).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('if the service omits the cursor', async () => {
    for (const next_cursor of [undefined, '']) {
      const { options, requests } = createService((_, number) => {
        // Stops an endless loop.
        if (number > 5) return refusal(403, 'forbidden')
        return Response.json({ data: [call(number)], has_more: true, next_cursor })
      })
      expect(await idsOf(createCalls(options).list())).toEqual(['call_1'])
      expect(requests.length).toBe(1)
    }
  })
})
