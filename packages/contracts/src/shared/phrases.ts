import { z } from 'zod'

type Issue = z.core.$ZodRawIssue

/** Units of sizes; a number has none. */
const UNITS: Readonly<Record<string, string>> = {
  string: 'character',
  file: 'byte',
  array: 'element',
  set: 'element',
  map: 'member',
  object: 'member',
  record: 'member',
}

const TYPES: Readonly<Record<string, string>> = {
  array: 'an array',
  bigint: 'a whole number',
  boolean: 'true or false',
  int: 'a whole number',
  null: 'null',
  number: 'a number',
  object: 'an object',
  record: 'an object',
}

const FORMATS: Readonly<Record<string, string>> = {
  base64: 'base64',
  base64url: 'base64url',
  cidrv4: 'an IPv4 range',
  cidrv6: 'an IPv6 range',
  date: 'a date, such as 2027-06-30',
  datetime: 'an ISO 8601 time',
  duration: 'an ISO 8601 duration',
  email: 'an email address',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  json_string: 'JSON',
  jwt: 'a JWT',
  time: 'an ISO 8601 time of day',
  url: 'a URL',
}

/** Longer lists help nobody. */
const MAX_LISTED = 30

/**
 * The sentences of all services about wrong input, as zod's error map. Each follows the name of its parameter:
 * `agent_id: is missing`. None quotes the input, which may be personal or secret.
 *
 * @example
 * schema.safeParse(value, { error: phraseOf })
 */
export const phraseOf = (issue: Issue): string => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${typeOf(issue)}`
    case 'invalid_value':
      return issue.input === undefined ? 'is missing' : `must be ${oneOf(issue['values'])}`
    case 'too_small':
    case 'too_big':
      return `must ${sizeOf(issue)}`
    case 'invalid_format':
      return `must ${formOf(issue)}`
    case 'not_multiple_of':
      return `must be a multiple of ${String(issue['divisor'])}`
    case 'unrecognized_keys':
      return 'is not a known field'
    case 'invalid_union':
      return unionOf(issue)
    case 'invalid_key':
      return `must not have this name: it ${firstOf(issue['issues'])?.message ?? 'is not accepted'}`
    default:
      return 'is not accepted'
  }
}

function typeOf(issue: Issue): string {
  const expected = String(issue['expected'])
  if (expected === 'number' || expected === 'int') return numberOf(issue)
  return TYPES[expected] ?? `a ${expected}`
}

/** `a whole number from 1 to 100`. */
function numberOf(issue: Issue): string {
  const schema = issue.schema ?? issue.inst
  const checks = schema instanceof z.core.$ZodNumber ? definitionsOf(schema) : []
  const lower = checks.find(({ check }) => check === 'greater_than')
  const upper = checks.find(({ check }) => check === 'less_than')
  const isWhole = issue['expected'] === 'int' || checks.some(({ check }) => check === 'number_format')
  const isClosed = lower?.inclusive === true && upper?.inclusive === true
  const bounds = isClosed
    ? [`from ${lower.value} to ${upper.value}`]
    : [
        ...(lower ? [`${lower.inclusive === true ? 'of at least' : 'above'} ${lower.value}`] : []),
        ...(upper ? [`${upper.inclusive === true ? 'of at most' : 'below'} ${upper.value}`] : []),
      ]
  const kind = isWhole ? 'a whole number' : 'a number'
  return bounds.length === 0 ? kind : `${kind} ${bounds.join(' and ')}`
}

interface Check {
  readonly check: string
  readonly value?: unknown
  readonly inclusive?: unknown
}

/** The checks of a schema, which is one itself if it is a format of numbers. */
const definitionsOf = (schema: z.core.$ZodNumber): Check[] => [
  ...(schema instanceof z.core.$ZodNumberFormat ? [schema._zod.def] : []),
  ...(schema._zod.def.checks ?? []).map((check): Check => check._zod.def),
]

function sizeOf(issue: Issue): string {
  const isSmall = issue.code === 'too_small'
  const bound = Number(isSmall ? issue['minimum'] : issue['maximum'])
  const unit = UNITS[String(issue['origin'])]
  if (unit === undefined) return issue['origin'] === 'date' ? 'be another date' : `be ${numberOf(issue)}`
  if (isSmall && bound === 1) return 'not be empty'
  const relation = issue['exact'] === true ? 'exactly' : isSmall ? 'at least' : 'at most'
  return `have ${relation} ${bound} ${unit}${bound === 1 ? '' : 's'}`
}

function formOf(issue: Issue): string {
  const format = String(issue['format'])
  if (format === 'starts_with') return `begin with ${String(issue['prefix'])}`
  if (format === 'ends_with') return `end with ${String(issue['suffix'])}`
  if (format === 'includes') return `contain ${String(issue['includes'])}`
  if (format === 'regex') return `match ${String(issue['pattern'])}`
  return `be ${FORMATS[format] ?? `a valid ${format}`}`
}

function oneOf(values: unknown): string {
  const texts = Array.isArray(values) ? values.map(String) : []
  if (texts.length === 1) return `${texts[0]}`
  const rest = texts.length > MAX_LISTED ? ' and others' : ''
  return `one of ${texts.slice(0, MAX_LISTED).join(', ')}${rest}`
}

interface Finding {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

const isFinding = (value: unknown): value is Finding =>
  typeof value === 'object' && value !== null && 'path' in value && 'message' in value

const firstOf = (findings: unknown): Finding | undefined =>
  Array.isArray(findings) ? findings.find(isFinding) : undefined

/** Names what the value may be; if it has the type of one form alone, what that form lacks. */
function unionOf(issue: Issue): string {
  const { discriminator, options, errors } = issue
  if (typeof discriminator === 'string')
    return Object(issue.input)[discriminator] === undefined ? 'is missing' : `must be ${oneOf(options)}`
  if (issue.input === undefined) return 'is missing'
  const findings = (Array.isArray(errors) ? errors : []).flatMap((found) => firstOf(found) ?? [])
  const inner = findings.filter(({ path }) => path.length > 0)
  const [only] = inner
  if (only !== undefined && inner.length === 1)
    return `is not accepted: ${only.path.join('.')} ${only.message}`
  const messages = [...new Set(findings.map(({ message }) => message))]
  return inner.length === 0 && messages.length > 0
    ? messages.map((message, at) => (at === 0 ? message : message.replace(/^must (be )?/, ''))).join(' or ')
    : 'has none of its accepted forms'
}
