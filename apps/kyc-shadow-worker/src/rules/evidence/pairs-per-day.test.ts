import { expect, test } from 'vitest'
import { countPairsPerDay } from './pairs-per-day.ts'

const HOUR_MS = 3_600_000
const nowMs = 100 * HOUR_MS
const hour = (stage: 'shadow-1' | 'shadow-10', hoursAgo: number, pairs: number) => ({
  stage,
  firstAtMs: nowMs - hoursAgo * HOUR_MS,
  pairs,
})

test('is not known without pairs, nor in the first minute, nor from those of yesterday', () => {
  expect(countPairsPerDay([], nowMs)).toBeNull()
  expect(countPairsPerDay([hour('shadow-1', 0.01, 5)], nowMs)).toBeNull()
  expect(countPairsPerDay([hour('shadow-1', 25, 5)], nowMs)).toBeNull()
})

test('is the rate since the first pair of the last day', () => {
  expect(countPairsPerDay([hour('shadow-1', 0.5, 5)], nowMs)).toBe(240)
  expect(countPairsPerDay([hour('shadow-1', 2, 5), hour('shadow-1', 1, 15)], nowMs)).toBe(240)
})

test('is the rate of the latest stage', () => {
  const hours = [hour('shadow-1', 10, 5), hour('shadow-10', 1, 50), hour('shadow-1', 2, 5)]
  expect(countPairsPerDay(hours, nowMs)).toBe(1200)
})
