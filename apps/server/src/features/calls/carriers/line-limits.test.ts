import { expect, it } from 'vitest'
import { lineLimits } from './line-limits.ts'

it('lists the carriers that have a limit', () => {
  const simulator = { type: 'simulator', options: {} } as const
  expect(
    lineLimits({
      simulator,
      'simulator-slow': { ...simulator, calls_per_second: 2 },
      trunk: { type: 'module', module: './trunk.mjs', options: {}, channels: 30 },
    }),
  ).toEqual([
    { carrier: 'simulator-slow', callsPerSecond: 2, channels: null },
    { carrier: 'trunk', callsPerSecond: null, channels: 30 },
  ])
})
