import { expect, test } from 'vitest'
import { createRandom } from '../../scripts/random.ts'
import { findAxis } from './find-axis.ts'
import type { Ink } from './ink.ts'

/** Draws lines of letters of equal width, which stand in columns, as a till prints them. */
function typewritten({ lines, letters }: { lines: number; letters: number }): Ink {
  const random = createRandom(3)
  const along: number[] = []
  const across: number[] = []
  for (let line = 0; line < lines; line++)
    for (let y = 0; y < 5; y++)
      for (let letter = 0; letter < letters; letter++)
        for (let x = 0; x < 4; x++) {
          if (random() < 0.4) continue
          along.push(20 + letter * 6 + x)
          across.push(20 + line * 12 + y)
        }
  return { along: new Int16Array(along), across: new Int16Array(across) }
}

/** Turns ink by a quarter, row by row again. */
function turned({ along, across }: Ink): Ink {
  const order = Array.from(along.keys()).toSorted(
    (one, other) => (along[one] ?? 0) - (along[other] ?? 0) || (across[one] ?? 0) - (across[other] ?? 0),
  )
  return {
    along: Int16Array.from(order, (index) => across[index] ?? 0),
    across: Int16Array.from(order, (index) => along[index] ?? 0),
  }
}

test('the axis of letters that stand in columns is found', () => {
  const ink = typewritten({ lines: 60, letters: 25 })
  expect(findAxis(ink)).toBe('horizontal')
  expect(findAxis(turned(ink))).toBe('vertical')
})

test('a few letters do not tell the axis', () => {
  expect(findAxis(typewritten({ lines: 2, letters: 25 }))).toBe('few')
})

test('ink at random does not tell the axis', () => {
  const random = createRandom(5)
  const places = Array.from({ length: 640_000 }, (_, place) => place).filter(() => random() < 0.05)
  expect(
    findAxis({
      along: Int16Array.from(places, (place) => place % 800),
      across: Int16Array.from(places, (place) => Math.floor(place / 800)),
    }),
  ).toBe('either')
})
