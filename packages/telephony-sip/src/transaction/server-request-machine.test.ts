import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { driveMachine } from '../../test/drive-machine.ts'
import { serverRequestMachine } from './server-request-machine.ts'

const start = (reliable = false) => driveMachine(serverRequestMachine, { reliable })
const respond = (status: number) => ({ event: 'respond', status }) as const
const request = { event: 'request' } as const

describe('server transaction of other requests', () => {
  test('repeats its response for each repetition of the request, for 64 × T1', () => {
    const run = start()
    run.feed(request)
    run.feed(respond(200))
    run.clock.advance(31_999)
    run.feed(request)
    run.clock.advance(1)
    run.feed(request)
    expect(run.timesOf('repeat_response')).toEqual([31_999])
    expect(run.phase()).toBe('terminated')
  })

  test('ends with its response over TCP', () => {
    const run = start(true)
    run.feed(respond(200))
    expect(run.phase()).toBe('terminated')
  })

  test('sends one final response, and ends within 128 × T1, whatever happens', () => {
    const event = fc.oneof(fc.integer({ min: 100, max: 699 }).map(respond), fc.constant(request))
    const history = fc.array(fc.tuple(fc.integer({ min: 0, max: 20_000 }), event), { maxLength: 12 })
    fc.assert(
      fc.property(history, fc.boolean(), (history, reliable) => {
        const run = start(reliable)
        let finals = 0
        for (const [waitMs, event] of history) {
          run.clock.advance(waitMs)
          const before = run.timesOf('send_response').length
          run.feed(event)
          if (event.event === 'respond' && event.status >= 200)
            finals += run.timesOf('send_response').length - before
        }
        expect(finals).toBeLessThanOrEqual(1)
        run.clock.advance(Math.max(0, 64_000 - run.clock.nowMs()))
        expect(run.phase()).toBe('terminated')
        expect(run.clock.pending()).toBe(0)
      }),
    )
  })
})
