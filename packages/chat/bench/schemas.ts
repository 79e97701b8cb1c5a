/**
 * `pnpm bench schemas`: how the built-in model answers schemas that strangers made for their own files, with `--schemas DIR --tests DIR`. Answers
 * are judged by ajv and by @cfworker/json-schema, by each if it takes the schema, and the files in a folder of the schema's name that its authors gave as
 * valid. An answer is right if all such judges accept it, and not judged if there is none. Refusals are counted by their reasons. On the
 * measured page, the schemas are those of github.com/SchemaStore/schemastore, `src/schemas/json` and `src/test`.
 */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Schema as CfworkerSchema, validate } from '@cfworker/json-schema'
import { Ajv } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { findInstance } from '../src/built-in/schema/find-instance.ts'
import type { Schema } from '../src/built-in/schema/read-schema.ts'
import { SchemaRefusal } from '../src/built-in/schema-refusal.ts'

const { values } = parseArgs({ options: { schemas: { type: 'string' }, tests: { type: 'string' } } })
const { schemas = '', tests = '' } = values

type Judge = (value: unknown) => boolean

const draftOf = (schema: Schema): '2020-12' | '2019-09' | '7' => {
  const named = typeof schema === 'object' && '$schema' in schema ? String(schema['$schema']) : ''
  if (named.includes('2020-12')) return '2020-12'
  return named.includes('2019-09') ? '2019-09' : '7'
}

function judgesOf(schema: Schema & CfworkerSchema): Judge[] {
  const draft = draftOf(schema)
  const Validator = { '2020-12': Ajv2020, '2019-09': Ajv2019, '7': Ajv }[draft]
  const ajv = new Validator({ strict: false, logger: false, validateSchema: false, validateFormats: true })
  addFormats.default(ajv)
  return [
    (value) => ajv.validate(schema, value),
    (value) => validate(value, structuredClone(schema), draft).valid,
  ]
}

const parse = (file: string) => JSON.parse(readFileSync(file, 'utf8'))

function accepts(judge: Judge, value: unknown): boolean {
  try {
    return judge(value)
  } catch {
    return false
  }
}

/** Whether a judge understands a schema, and agrees with its authors about their files. */
function takes(judge: Judge, known: readonly unknown[]): boolean {
  try {
    judge(null)
  } catch {
    return false
  }
  return known.every((value) => accepts(judge, value))
}

/** Returns what became of a schema: `right`, `wrong`, `not judged`, or the reason of its refusal. */
function outcomeOf(name: string, schema: Schema & CfworkerSchema): string {
  let answer: unknown
  try {
    answer = findInstance(schema)
  } catch (error) {
    if (error instanceof SchemaRefusal) return error.message.replace(/^\S*\$ref /, '`$ref` ')
    throw error
  }
  const known = globSync(`${tests}/${name}/*.json`).map(parse)
  const judges = judgesOf(schema).filter((judge) => takes(judge, known))
  if (judges.length === 0) return 'not judged'
  return judges.every((judge) => accepts(judge, answer)) ? 'right' : 'wrong'
}

const outcomes = new Map<string, string[]>()
let slowest = { name: '', seconds: 0 }
for (const file of globSync(`${schemas}/*.json`).toSorted()) {
  const name = path.basename(file, '.json')
  const before = process.cpuUsage()
  const outcome = outcomeOf(name, parse(file))
  const { user, system } = process.cpuUsage(before)
  const seconds = (user + system) / 1e6
  if (seconds > slowest.seconds) slowest = { name, seconds }
  outcomes.set(outcome, [...(outcomes.get(outcome) ?? []), name])
}
console.log('| outcome | schemas | such as |\n| - | - | - |')
for (const [outcome, names] of [...outcomes].toSorted((one, other) => other[1].length - one[1].length))
  console.log(`| ${outcome} | ${names.length} | ${names.slice(0, 3).join(', ')} |`)
console.log(
  `\nThe slowest, with its judges, is ${slowest.name}: ${slowest.seconds.toFixed(1)} s of a processor.`,
)
