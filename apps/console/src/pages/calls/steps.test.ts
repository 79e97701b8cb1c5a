import { expect, test } from 'vitest'
import { stepsOf } from './steps.ts'

const AT = '2026-11-30T10:00:00.000Z'

test('a call that rings was placed and rang', () => {
  const steps = stepsOf({ created_at: AT, ringing_since: '2026-11-30T10:00:02.000Z' })
  expect(steps.map(({ step }) => step)).toEqual(['placed', 'rang'])
})

test('a call that was answered was placed, answered and ended', () => {
  const [answered_at, ended_at] = ['2026-11-30T10:00:06.000Z', '2026-11-30T10:00:20.500Z']
  expect(stepsOf({ created_at: AT, answered_at, ended_at })).toEqual([
    { step: 'placed', at: AT },
    { step: 'answered', at: answered_at },
    { step: 'ended', at: ended_at },
  ])
})

test('a call that came in was not placed', () => {
  const steps = stepsOf({ direction: 'inbound', created_at: AT, ringing_since: AT })
  expect(steps.map(({ step }) => step)).toEqual(['arrived', 'rang'])
})

test('a call that nobody answered only ended', () => {
  const steps = stepsOf({ created_at: AT, ended_at: '2026-11-30T10:00:45.000Z' })
  expect(steps.map(({ step }) => step)).toEqual(['placed', 'ended'])
})
