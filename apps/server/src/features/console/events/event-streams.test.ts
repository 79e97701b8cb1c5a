import { firstIdAt } from '@vaani/service-kit/ids'
import { createLogger } from '@vaani/service-kit/telemetry/log'
import { createMeter } from '@vaani/service-kit/telemetry/meter'
import { expect, test, vi } from 'vitest'
import { declareConsoleMetrics } from '../metrics.ts'
import { EventStreams } from './event-streams.ts'

test('one reader serves all streams, from the first to the end of the last', async () => {
  const stop = vi.fn(async () => undefined)
  const follow = vi.fn(async () => ({ position: () => 0n, after: () => null, stop }))
  const streams = new EventStreams({
    log: createLogger('silent'),
    stopping: new AbortController().signal,
    feed: { follow },
    store: { findAll: async () => new Map() },
    metrics: declareConsoleMetrics(createMeter()),
  })
  const open = (index: number) =>
    streams.open(
      {
        secret: `secret ${index}`,
        principal: { accountId: firstIdAt('account', index), livemode: false, scopes: new Set() },
        onEnd: () => undefined,
      },
      null,
    )
  const [first, ...others] = await Promise.all(Array.from({ length: 10 }, (_, index) => open(index)))
  expect(follow).toHaveBeenCalledTimes(1)
  for (const stream of others) stream.end('left')
  expect(stop).not.toHaveBeenCalled()
  first?.end('left')
  await vi.waitFor(() => expect(stop).toHaveBeenCalledTimes(1))
  const again = await open(0)
  expect(follow).toHaveBeenCalledTimes(2)
  again.end('left')
  await vi.waitFor(() => expect(stop).toHaveBeenCalledTimes(2))
})
