import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { en } from './en.ts'
import { EXAMPLE_REPORT } from '@vaani/migration-charts/example-report'
import { becauseInNepali } from './ne-migration-sentences.ts'
import { REASONS } from './ne-reasons.ts'
import { ne } from './ne.ts'

const namesOf = (of: object, within = ''): string[] =>
  Object.entries(of).flatMap(([name, value]: [string, unknown]) => [
    within + name,
    ...(typeof value === 'object' && value !== null ? namesOf(value, `${within}${name}.`) : []),
  ])

test('both languages offer the same choices in the same order, because numbers choose some of them', () => {
  expect(namesOf(ne)).toEqual(namesOf(en))
})

const textsOf = (of: unknown): string[] => {
  if (typeof of === 'string') return [of]
  return typeof of === 'object' && of !== null ? Object.values(of).flatMap(textsOf) : []
}

test('Nepali has its own digits, except in names such as v1 and E.164', () => {
  const found = textsOf(ne).filter((text) => /[0-9]/.test(text.replaceAll(/[a-z][a-z.]*[0-9]+/gi, '')))
  expect(found).toEqual([])
})

test('there are words for everything that checks tell a person', async () => {
  const advice = new URL('../../../../packages/identity-checks/src/decision/advice.ts', import.meta.url)
  const codes = (await readFile(advice, 'utf8')).matchAll(/^ {2}(?<code>\w+): (?:retry|wait)\(/gm)
  const names = Array.from(codes, ({ groups }) => groups?.['code'])
  expect(names.length).toBeGreaterThan(50)
  expect(Object.keys({ ...en.codes.findings, ...en.reviews.checkNames })).toEqual(
    expect.arrayContaining(names),
  )
  expect([...REASONS.keys()].toSorted()).toEqual(names.toSorted())
})

test('there are words for every error code and every type of event', async () => {
  const [errors, document] = await Promise.all(
    ['interop/error-codes.json', 'packages/contracts/openapi.json'].map(async (file) =>
      JSON.parse(await readFile(new URL(`../../../../${file}`, import.meta.url), 'utf8')),
    ),
  )
  expect(Object.keys(en.requests.codes).toSorted()).toEqual(
    errors.map(({ code }: { code: string }) => code).toSorted(),
  )
  expect(Object.keys(en.codes.eventTypes)).toEqual(
    document.components.schemas.WebhookDelivery.properties.event_type.enum,
  )
})

test('the evidence of a migration advises in Nepali', () => {
  const { verdict } = EXAMPLE_REPORT.migration
  const conditions = verdict.conditions.map((condition) => ({ ...condition, missing_trials: null }))
  for (const advice of ['promote', 'hold', 'roll_back', 'not_enough_evidence', 'done'] as const)
    for (const evidence of [verdict, { ...verdict, conditions }, { ...verdict, missing_pairs: null }])
      expect(becauseInNepali({ ...evidence, advice })).toMatch(/^(?:[^a-z0-9]|v[12])+।$/i)
})
