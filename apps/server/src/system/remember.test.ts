import { expect, test } from 'vitest'
import { remember } from './remember.ts'

function counted(answer: () => Promise<number>) {
  let nowMs = 1_000_000
  let asked = 0
  const ask = remember(
    () => {
      asked++
      return answer()
    },
    { forMs: 500, clock: { nowMs: () => nowMs } },
  )
  return { ask, asked: () => asked, moveTo: (ms: number) => (nowMs = ms) }
}

test('asks once in its time, however many want to know', async () => {
  const { ask, asked, moveTo } = counted(() => Promise.resolve(7))
  expect(await Promise.all(Array.from({ length: 100 }, ask))).toEqual(Array(100).fill(7))
  moveTo(1_000_499)
  await ask()
  expect(asked()).toBe(1)
  moveTo(1_000_500)
  await ask()
  expect(asked()).toBe(2)
})

test('gives everybody the error, and asks again after its time', async () => {
  const { ask, asked, moveTo } = counted(() => Promise.reject(new Error('away')))
  for (let index = 0; index < 3; index++) await expect(ask()).rejects.toThrow('away')
  expect(asked()).toBe(1)
  moveTo(1_000_500)
  await expect(ask()).rejects.toThrow('away')
  expect(asked()).toBe(2)
})

test('asks again if the clock was set back', async () => {
  const { ask, asked, moveTo } = counted(() => Promise.resolve(7))
  await ask()
  moveTo(0)
  await ask()
  expect(asked()).toBe(2)
})
