import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { driveMachine } from '../../test/drive-machine.ts'
import { serverInviteMachine } from './server-invite-machine.ts'

const start = (reliable = false) => driveMachine(serverInviteMachine, { reliable })
const respond = (status: number) => ({ event: 'respond', status }) as const
const request = { event: 'request' } as const
const acknowledged = { event: 'acknowledged' } as const

describe('INVITE server transaction', () => {
  test('sends 100 after 200 ms unless its user was faster', () => {
    const slow = start()
    slow.clock.advance(1000)
    expect(slow.timesOf('send_trying')).toEqual([200])
    const fast = start()
    fast.feed(respond(180))
    fast.clock.advance(1000)
    expect(fast.timesOf('send_trying')).toEqual([])
  })

  test('repeats the last provisional response for each repetition of the request', () => {
    const run = start()
    run.feed(request)
    run.feed(respond(180))
    run.feed(request)
    expect(run.timesOf('repeat_response')).toEqual([0])
  })

  test('repeats a failure over UDP at intervals up to T2 until its ACK', () => {
    const run = start()
    run.feed(respond(486))
    run.clock.advance(10_000)
    run.feed(acknowledged)
    run.clock.advance(10_000)
    expect(run.timesOf('repeat_response')).toEqual([500, 1500, 3500, 7500])
    expect(run.timesOf('report_unacknowledged')).toEqual([])
    expect(run.phase()).toBe('terminated')
  })

  test('sends a failure once over TCP', () => {
    const run = start(true)
    run.feed(respond(486))
    run.clock.advance(60_000)
    expect(run.timesOf('repeat_response')).toEqual([])
    expect(run.timesOf('report_unacknowledged')).toEqual([32_000])
  })

  test('repeats a 2xx over every transport until its ACK, and absorbs repetitions of the request', () => {
    const run = start(true)
    run.feed(respond(200))
    run.feed(request)
    run.clock.advance(2000)
    run.feed(acknowledged)
    run.clock.advance(60_000)
    expect(run.timesOf('repeat_response')).toEqual([500, 1500])
    expect(run.timesOf('report_unacknowledged')).toEqual([])
  })

  test('reports a 2xx that nobody acknowledges', () => {
    const run = start()
    run.feed(respond(200))
    run.clock.advance(60_000)
    expect(run.timesOf('report_unacknowledged')).toEqual([32_000])
  })

  test('sends one final response and ends within 64 × T1 after it, whatever happens', () => {
    const event = fc.oneof(
      fc.integer({ min: 100, max: 699 }).map(respond),
      fc.constantFrom(request, acknowledged),
    )
    const history = fc.array(fc.tuple(fc.integer({ min: 0, max: 20_000 }), event), { maxLength: 12 })
    fc.assert(
      fc.property(history, fc.boolean(), (history, reliable) => {
        const run = start(reliable)
        for (const [waitMs, event] of history) {
          run.clock.advance(waitMs)
          run.feed(event)
        }
        run.feed(respond(500))
        const sent = run.timesOf('send_response').length
        run.feed(respond(200))
        expect(run.timesOf('send_response')).toHaveLength(sent)
        run.clock.advance(32_000)
        // An ACK just before the end of timer H starts timer I.
        run.clock.advance(5000)
        expect(run.phase()).toBe('terminated')
        expect(run.clock.pending()).toBe(0)
        expect(run.timesOf('report_unacknowledged').length).toBeLessThanOrEqual(1)
      }),
    )
  })
})
