import { readFileSync } from 'node:fs'
import { type Schema as CfworkerSchema, validate } from '@cfworker/json-schema'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { findInstance } from './find-instance.ts'
import type { Schema } from './read-schema.ts'
import { SchemaRefusal } from '../schema-refusal.ts'

interface Group {
  readonly description: string
  readonly schema: Schema
  readonly tests: readonly { readonly data: unknown; readonly valid: boolean }[]
}

type Judge = (schema: Schema, value: unknown) => boolean

const judges: Readonly<Record<'draft7' | 'draft2020-12', readonly Judge[]>> = {
  draft7: [withAjv(Ajv), (schema, value) => validateWithCfworker(schema, value, '7')],
  'draft2020-12': [withAjv(Ajv2020), (schema, value) => validateWithCfworker(schema, value, '2020-12')],
}

function withAjv(Validator: typeof Ajv | typeof Ajv2020): Judge {
  return (schema, value) => {
    const ajv = new Validator({ strict: false, logger: false, validateSchema: false })
    addFormats.default(ajv)
    return ajv.validate(schema, value)
  }
}

const validateWithCfworker = (schema: CfworkerSchema | boolean, value: unknown, draft: '7' | '2020-12') =>
  validate(value, structuredClone(schema), draft).valid

/** A validator counts if it is right about the group's own tests. It may not understand the schema. */
function isRightAbout(judge: Judge, { schema, tests }: Group): boolean {
  try {
    return tests.every(({ data, valid }) => judge(schema, data) === valid)
  } catch {
    return false
  }
}

function outcomeOf(group: Group, judges: readonly Judge[]): string {
  let value: unknown
  try {
    value = findInstance(group.schema)
  } catch (error) {
    if (!(error instanceof SchemaRefusal)) throw error
    // Refuse nothing that one of the group's own values fits, unless it refers to another document.
    if (error.message.includes('names a dialect')) return 'of another dialect'
    const isOfOneDocument = !error.message.includes('is not in the request')
    return isOfOneDocument && group.tests.some(({ valid }) => valid) ? 'not found' : 'refused'
  }
  const competent = judges.filter((judge) => isRightAbout(judge, group))
  return competent.every((judge) => judge(group.schema, value)) ? 'answered' : 'wrong'
}

test.each(['draft7', 'draft2020-12'] as const)('no answer to the suite of %s is wrong', (name) => {
  const file = new URL(`../../../suites/json-schema/${name}.json`, import.meta.url)
  const groups: readonly Group[] = JSON.parse(readFileSync(file, 'utf8'))
  const outcomes: Record<string, string[]> = {
    answered: [],
    refused: [],
    wrong: [],
    'not found': [],
    'of another dialect': [],
  }
  for (const group of groups) outcomes[outcomeOf(group, judges[name])]?.push(group.description)
  expect(outcomes['wrong']).toEqual([])
  expect(outcomes['not found']).toEqual([])
  expect([outcomes['answered']?.length, outcomes['refused']?.length]).toEqual(
    name === 'draft7' ? [238, 19] : [352, 29],
  )
  expect(outcomes['of another dialect']).toEqual(
    name === 'draft7'
      ? []
      : [
          'vocabulary: schema that uses custom metaschema with with no validation vocabulary',
          'vocabulary: ignore unrecognized optional vocabulary',
        ],
  )
})
