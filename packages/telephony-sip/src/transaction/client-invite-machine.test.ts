import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { driveMachine } from '../../test/drive-machine.ts'
import { clientInviteMachine } from './client-invite-machine.ts'

const start = (reliable = false) => driveMachine(clientInviteMachine, { reliable })
const response = (status: number) => ({ event: 'response', status }) as const

describe('INVITE client transaction', () => {
  test('repeats the request over UDP at doubling intervals until timer B', () => {
    const run = start()
    run.clock.advance(60_000)
    expect(run.timesOf('send_request')).toEqual([0, 500, 1500, 3500, 7500, 15_500, 31_500])
    expect(run.timesOf('report_failure')).toEqual([32_000])
    expect(run.clock.pending()).toBe(0)
  })

  test('sends the request once over TCP, and gives up at the same time', () => {
    const run = start(true)
    run.clock.advance(60_000)
    expect(run.timesOf('send_request')).toEqual([0])
    expect(run.timesOf('report_failure')).toEqual([32_000])
  })

  test('stops repeating at the first provisional response, and then waits without an end', () => {
    const run = start()
    run.feed(response(100))
    run.feed(response(180))
    run.clock.advance(3_600_000)
    expect(run.timesOf('send_request')).toEqual([0])
    expect(run.timesOf('report_provisional')).toEqual([0, 0])
    expect(run.phase()).toBe('proceeding')
  })

  test('acknowledges each repetition of a failure for 32 s, but reports it once', () => {
    const run = start()
    run.feed(response(486))
    run.clock.advance(1000)
    run.feed(response(486))
    run.clock.advance(31_000)
    run.feed(response(486))
    expect(run.timesOf('acknowledge')).toEqual([0, 1000])
    expect(run.timesOf('report_final')).toEqual([0])
    expect(run.phase()).toBe('terminated')
  })

  test('reports each 2xx for 64 × T1 after the first', () => {
    const run = start()
    run.feed(response(200))
    run.clock.advance(31_999)
    run.feed(response(200))
    run.clock.advance(1)
    run.feed(response(200))
    expect(run.timesOf('report_final')).toEqual([0, 31_999])
    expect(run.timesOf('acknowledge')).toEqual([])
  })

  test('fails 64 × T1 after a CANCEL if its 487 is lost', () => {
    const run = start()
    run.feed(response(180))
    run.clock.advance(10_000)
    run.feed({ event: 'canceled' })
    run.clock.advance(5000)
    run.feed(response(180))
    run.clock.advance(60_000)
    expect(run.timesOf('report_failure')).toEqual([42_000])
  })

  test('ends in time and reports at most one failure or final other than repeated 2xx, whatever happens', () => {
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
        // The user limits how long a phone rings: by a CANCEL.
        run.feed({ event: 'canceled' })
        run.clock.advance(64_000)
        expect(run.phase()).toBe('terminated')
        expect(run.clock.pending()).toBe(0)
        const failures = run.timesOf('report_failure').length
        const finals = run.timesOf('report_final').length
        expect(failures + finals).toBeGreaterThan(0)
        if (failures > 0) expect([failures, finals]).toEqual([1, 0])
        if (run.timesOf('acknowledge').length > 0) expect(finals).toBe(1)
      }),
    )
  })
})
