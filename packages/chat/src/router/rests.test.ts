import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ChatError } from '../chat-error.ts'
import { createRests } from './rests.ts'

const unreachable = () =>
  new ChatError('provider_failed', 'No connection', {
    cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
  })
const failed = () => new ChatError('provider_failed', 'The server of the model answered 500')
const busy = (retryAfterMs = 60_000) => new ChatError('provider_busy', 'Later', { retryAfterMs })

function start() {
  const clock = { nowMs: 0 }
  const told: object[] = []
  const rests = createRests({
    rules: { failuresUntilRest: 3 },
    nowMs: () => clock.nowMs,
    onRest: (resting) => told.push(resting),
    onRecovery: (recovered) => told.push(recovered),
  })
  const asked = (tenant: string, model = 'one') => ({ provider: 'vendor', model, tenant })
  return { clock, told, rests, asked }
}

test('what one account causes never rests a model for another, nor another model of the provider', () => {
  const outcome = fc.oneof(
    fc.constantFrom('failure' as const, 'success' as const, 'refusal' as const),
    fc.nat(100_000).map(busy),
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(outcome, fc.nat(10_000))), (outcomes) => {
      const { clock, told, rests, asked } = start()
      for (const [kind, ms] of outcomes) {
        if (rests.begin(asked('noisy'))) {
          if (kind === 'success') rests.end(asked('noisy'))
          else if (kind === 'failure') rests.end(asked('noisy'), failed())
          else if (kind === 'refusal') rests.end(asked('noisy'), new ChatError('request_refused', 'No'))
          else rests.end(asked('noisy'), kind)
        }
        for (const other of [asked('a'), asked('b'), asked('a', 'two')]) expect(rests.begin(other)).toBe(true)
        clock.nowMs += ms
      }
      expect(told).toEqual([])
    }),
  )
})

test('a model that fails for one account rests for that account, and for all once it fails others as often', () => {
  const { told, rests, asked } = start()
  for (let count = 0; count < 8; count++) rests.end(asked('noisy'), failed())
  expect([rests.begin(asked('noisy')), rests.begin(asked('noisy', 'two'))]).toEqual([false, true])
  for (const account of ['a', 'a']) {
    expect(rests.begin(asked(account))).toBe(true)
    rests.end(asked(account), failed())
    expect([told, rests.begin(asked('b'))]).toEqual([[], true])
  }
  rests.end(asked('b'), failed())
  expect(told).toEqual([{ provider: 'vendor', model: 'one', restMs: 2000 }])
  expect([rests.begin(asked('b')), rests.begin(asked('b', 'two'))]).toEqual([false, true])
  rests.end(asked('b', 'two'))
  expect(rests.begin(asked('b'))).toBe(false)
})

test('failures of one account and a request to another to wait rest nothing for a third', () => {
  const { told, rests, asked } = start()
  for (let count = 0; count < 8; count++) rests.end(asked('noisy'), failed())
  rests.end(asked('a'), busy())
  expect([rests.begin(asked('b')), told]).toEqual([true, []])
})

test('a provider that asks two accounts to wait rests that model', () => {
  const { rests, asked } = start()
  rests.end(asked('a'), busy(5000))
  expect([rests.begin(asked('a')), rests.begin(asked('b'))]).toEqual([false, true])
  expect(rests.restOf(asked('a'))).toEqual({ untilMs: 5000, isBusy: true })
  rests.end(asked('b'), busy(9000))
  expect([rests.begin(asked('c')), rests.begin(asked('c', 'two'))]).toEqual([false, true])
})

test('a provider that cannot be reached rests for all requests, whoever sent them', () => {
  const { told, rests, asked } = start()
  for (let count = 0; count < 3; count++) rests.end(asked('a'), unreachable())
  expect(told).toEqual([{ provider: 'vendor', restMs: 2000 }])
  expect([rests.begin(asked('b')), rests.begin(asked('b', 'two'))]).toEqual([false, false])
})
