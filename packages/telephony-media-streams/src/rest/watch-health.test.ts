import { setImmediate } from 'node:timers/promises'
import type { CarrierHealth } from '@vaani/telephony'
import { expect, test } from 'vitest'
import type { RestResult } from './send-request.ts'
import { watchHealth } from './watch-health.ts'

const status = (code: number): RestResult => ({ type: 'response', response: { status: code, body: '' } })

/** Watches a provider whose probes have these results, one after another. */
function watch(results: RestResult[]) {
  const reports: CarrierHealth[] = []
  let next: (() => void) | undefined
  let asked = 0
  const { stop } = watchHealth({
    provider: { probe: () => ({ method: 'GET', url: 'https://api.example', headers: {} }) },
    sendRequest: async () => results[asked++] ?? { type: 'unknown' },
    report: (health) => void reports.push(health),
    epochMs: () => asked,
    after: (_, action) => {
      next = action
      return () => (next = undefined)
    },
  })
  const pass = async () => {
    next?.()
    await setImmediate()
  }
  return { reports, stop, pass, asked: () => asked }
}

test.each<[string, RestResult, object]>([
  ['answers', status(200), { state: 'up' }],
  ['asks us to slow down', status(429), { state: 'up' }],
  ['refuses our credentials', status(401), { state: 'down', reason: 'unauthorized' }],
  ['forbids what calls need', status(403), { state: 'down', reason: 'unauthorized' }],
  ['does not know our account', status(404), { state: 'down', reason: 'unauthorized' }],
  ['fails', status(503), { state: 'down', reason: 'refused' }],
  ['cannot be connected to', { type: 'not_sent' }, { state: 'down', reason: 'unreachable' }],
  ['does not respond', { type: 'unknown' }, { state: 'down', reason: 'timeout' }],
])('a provider that %s', async (_name, result, health) => {
  const { reports, pass } = watch([result])
  await pass()
  expect(reports).toEqual([{ ...health, sinceMs: 1 }])
})

test('each change is reported once, with the time of the probe that showed it', async () => {
  const { reports, pass } = watch([200, 200, 503, 503, 200].map(status))
  for (let probe = 0; probe < 5; probe++) await pass()
  expect(reports.map((health) => [health.state, 'sinceMs' in health && health.sinceMs])).toEqual([
    ['up', 1],
    ['down', 3],
    ['up', 5],
  ])
})

test('nothing is reported, and nothing asked, after the stop', async () => {
  const { reports, stop, pass, asked } = watch([status(200)])
  stop()
  await pass()
  await pass()
  expect([reports, asked()]).toEqual([[], 1])
})
