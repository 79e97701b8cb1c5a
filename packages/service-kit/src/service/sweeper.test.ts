import { expect, test } from 'vitest'
import { createLogger } from '../telemetry/log.ts'
import { createMeter } from '../telemetry/meter.ts'
import { startSweeper } from './sweeper.ts'

test('a failing sweep is counted, keeps its last success, and does not stop the others', async () => {
  const meter = createMeter()
  let isAway = false
  const swept: string[] = []
  let nowMs = 5000
  const sweeper = startSweeper({
    sweeps: {
      media: async () => {
        if (isAway) throw new Error('The store is away')
        swept.push('media')
      },
      keys: async () => void swept.push('keys'),
    },
    stopping: new AbortController().signal,
    clock: { nowMs: () => nowMs },
    meter,
    log: createLogger('silent'),
  })
  const read = async (name: string): Promise<(number | undefined)[]> => {
    const { values = [] } = (await meter.registry.getSingleMetric(name)?.get()) ?? {}
    return ['media', 'keys'].map((sweep) => values.find(({ labels }) => labels['sweep'] === sweep)?.value)
  }
  const succeeded = () => read('vaani_sweep_last_success_timestamp_seconds')
  expect(await succeeded()).toEqual([5, 5])
  expect(await read('vaani_sweep_duration_seconds')).toEqual([undefined, undefined])

  nowMs = 6000
  await sweeper.sweep()
  expect(await succeeded()).toEqual([6, 6])
  nowMs = 7000
  isAway = true
  await sweeper.sweep()
  expect(swept).toEqual(['media', 'keys', 'keys'])
  expect(await read('vaani_sweep_failures_total')).toEqual([1, 0])
  expect(await succeeded()).toEqual([6, 7])
  expect(await read('vaani_sweep_duration_seconds')).toEqual([expect.any(Number), expect.any(Number)])
  await sweeper.stop()
})
