import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { driveMachine } from '../../test/drive-machine.ts'
import { clientRequestMachine } from './client-request-machine.ts'

const start = (reliable = false) => driveMachine(clientRequestMachine, { reliable })
const response = (status: number) => ({ event: 'response', status }) as const

describe('client transaction of other requests', () => {
  test('repeats the request over UDP at intervals up to T2 until timer F', () => {
    const run = start()
    run.clock.advance(60_000)
    expect(run.timesOf('send_request')).toEqual([
      0, 500, 1500, 3500, 7500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500,
    ])
    expect(run.timesOf('report_failure')).toEqual([32_000])
  })

  test('repeats each T2 after a provisional response, and still gives up at timer F', () => {
    const run = start()
    run.clock.advance(600)
    run.feed(response(100))
    run.clock.advance(60_000)
    expect(run.timesOf('send_request').slice(0, 4)).toEqual([0, 500, 1500, 5500])
    expect(run.timesOf('report_failure')).toEqual([32_000])
  })

  test('absorbs repetitions of the final response for T4', () => {
    const run = start()
    run.feed(response(200))
    run.clock.advance(4999)
    run.feed(response(200))
    expect(run.phase()).toBe('completed')
    run.clock.advance(1)
    expect(run.phase()).toBe('terminated')
    expect(run.timesOf('report_final')).toEqual([0])
  })

  test('sends once over TCP, and ends with the final response', () => {
    const run = start(true)
    run.clock.advance(20_000)
    run.feed(response(200))
    expect(run.timesOf('send_request')).toEqual([0])
    expect(run.phase()).toBe('terminated')
  })

  test('ends in time and reports exactly one failure or final, whatever happens', () => {
    const event = fc.oneof(
      fc.integer({ min: 100, max: 699 }).map(response),
      fc.constantFrom({ event: 'transport_failed' } as const, { event: 'canceled' } as const),
    )
    const history = fc.array(fc.tuple(fc.integer({ min: 0, max: 20_000 }), event), { maxLength: 12 })
    fc.assert(
      fc.property(history, fc.boolean(), (history, reliable) => {
        const run = start(reliable)
        for (const [waitMs, event] of history) {
          run.clock.advance(waitMs)
          run.feed(event)
        }
        run.clock.advance(Math.max(0, 37_000 - run.clock.nowMs()))
        const failures = run.timesOf('report_failure').length
        expect(failures + run.timesOf('report_final').length).toBe(1)
        expect(run.phase()).toBe('terminated')
        expect(run.clock.pending()).toBe(0)
      }),
    )
  })
})
