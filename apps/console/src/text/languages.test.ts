import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { en } from './en.ts'
import { ne } from './ne.ts'

const namesOf = (of: object, within = ''): string[] =>
  Object.entries(of).flatMap(([name, value]: [string, unknown]) => [
    within + name,
    ...(typeof value === 'object' && value !== null ? namesOf(value, `${within}${name}.`) : []),
  ])

test('both languages offer the same choices in the same order, because numbers choose some of them', () => {
  expect(namesOf(ne)).toEqual(namesOf(en))
})

test('there are words for everything that checks tell a person', async () => {
  const advice = new URL('../../../../packages/identity-checks/src/decision/advice.ts', import.meta.url)
  const codes = (await readFile(advice, 'utf8')).matchAll(/^ {2}(?<code>\w+): (?:retry|wait)\(/gm)
  const names = Array.from(codes, ({ groups }) => groups?.['code'])
  expect(names.length).toBeGreaterThan(50)
  expect(Object.keys({ ...en.codes.findings, ...en.reviews.checkNames })).toEqual(
    expect.arrayContaining(names),
  )
})
