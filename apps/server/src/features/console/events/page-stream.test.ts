import { firstIdAt } from '@vaani/service-kit/ids'
import { createMeter } from '@vaani/service-kit/telemetry/meter'
import { describe, expect, test } from 'vitest'
import type { RecentEvent } from '../../webhooks/port.ts'
import { declareConsoleMetrics } from '../metrics.ts'
import { MOST_STREAMS, StreamCounts } from './bounds.ts'
import { MOST_AT_ONCE, MOST_UNREAD_BYTES, PageStream } from './page-stream.ts'

const accountId = firstIdAt('account', 0)
const event: RecentEvent = {
  sequence: 7n,
  accountId,
  livemode: false,
  type: 'call.failed',
  objectId: 'call_1',
}

function openStream() {
  const ends: string[] = []
  const stream = new PageStream({
    secret: 'secret',
    principal: { accountId, livemode: false, scopes: new Set(['calls:read'] as const) },
    onEnd: (reason) => ends.push(reason),
  })
  const read = (): string => String(stream.body.read() ?? '')
  return { stream, ends, read }
}

describe('the stream of a page', () => {
  test('is dropped if nobody reads it, and keeps no more than its bound', () => {
    const { stream, ends } = openStream()
    stream.begin(0n, null)
    for (let count = 0; count < 10_000; count++) stream.send([event], 7n)
    expect(ends).toEqual(['slow'])
    expect(stream.body.readableLength).toBeLessThan(MOST_UNREAD_BYTES + 1000)
  })

  test('has a page that reads it read everything anew after many events at once, instead of dropping it', () => {
    const { stream, ends, read } = openStream()
    const many = Array.from({ length: 2000 }, () => event)
    stream.begin(0n, many)
    stream.send(many, 7n)
    expect(read()).toMatch(
      /^retry: \d+\n\nid: 0\nevent: reset\ndata: {}\n\nid: 7\nevent: reset\ndata: {}\n\n$/,
    )
    stream.send(many.slice(0, MOST_AT_ONCE), 7n)
    expect(read().match(/data: {"type"/g)).toHaveLength(MOST_AT_ONCE)
    expect(ends).toEqual([])
  })

  test('says when to come back, not to all pages the same', () => {
    const retries = Array.from({ length: 20 }, () => {
      const { stream, read } = openStream()
      stream.begin(0n, [])
      return /^retry: (\d{4})\n\n$/.exec(read())?.[1]
    })
    expect(retries).not.toContain(undefined)
    expect(new Set(retries).size).toBeGreaterThan(1)
  })

  test('ends once, and writes nothing afterwards', () => {
    const { stream, ends, read } = openStream()
    stream.end('session_ended')
    stream.end('left')
    stream.send([event], 7n)
    stream.sign(7n)
    expect(ends).toEqual(['session_ended'])
    expect(read()).toBe('')
  })

  test('shows what its session may read by now', () => {
    const { stream, read } = openStream()
    stream.limitTo(new Set(['identity:read']))
    stream.send([event], 7n)
    expect(read()).toBe('')
    stream.limitTo(new Set(['calls:read']))
    stream.send([event], 7n)
    expect(read()).toBe('id: 7\ndata: {"type":"call.failed","object_id":"call_1"}\n\n')
  })
})

test('a process has as many streams as its bound, and then says that it is full', () => {
  const counts = new StreamCounts(declareConsoleMetrics(createMeter()))
  const enter = (index: number) => counts.enter({ secret: `secret ${index}`, accountId: `account ${index}` })
  const leaves = Array.from({ length: MOST_STREAMS.process }, (_, index) => enter(index))
  const refusal = expect.objectContaining({
    code: 'service_unavailable',
    message: expect.stringContaining('1000 streams'),
    retryAfterSeconds: 30,
  })
  expect(() => enter(-1)).toThrow(refusal)
  leaves[0]?.()
  enter(-1)
  expect(() => enter(-2)).toThrow(refusal)
})
