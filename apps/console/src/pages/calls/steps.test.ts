import { expect, test } from 'vitest'
import { stepsOf } from './steps.ts'

const AT = '2026-11-30T10:00:00.000Z'

test('a call that rings was placed and rang', () => {
  const steps = stepsOf({ created_at: AT, ringing_since: '2026-11-30T10:00:02.000Z' })
  expect(steps.map(({ step }) => step)).toEqual(['placed', 'rang'])
})

test('a call was answered its duration before its end', () => {
  const steps = stepsOf({ created_at: AT, ended_at: '2026-11-30T10:00:20.500Z', duration_seconds: 14.5 })
  expect(steps).toEqual([
    { step: 'placed', at: AT },
    { step: 'answered', at: '2026-11-30T10:00:06.000Z' },
    { step: 'ended', at: '2026-11-30T10:00:20.500Z' },
  ])
})

test('a call that nobody answered only ended', () => {
  const steps = stepsOf({ created_at: AT, ended_at: '2026-11-30T10:00:45.000Z' })
  expect(steps.map(({ step }) => step)).toEqual(['placed', 'ended'])
})

test('a call that was simulated faster than it is heard was not answered before it was placed', () => {
  const steps = stepsOf({ created_at: AT, ended_at: '2026-11-30T10:00:01.000Z', duration_seconds: 5.66 })
  expect(steps.map(({ step }) => step)).toEqual(['placed', 'ended'])
})
