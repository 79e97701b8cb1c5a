import type { Json, JsonObject } from '@vaani/contracts/openapi'
import type { OperationDescription, Parameter } from './read-operations.ts'
import { documentation, membersOf, typeOfSchema } from './type-of-schema.ts'

export const GENERATED =
  '// Written by `pnpm --filter @vaani/client generate` from the contracts; not to be edited.'
export const JSON_VALUE =
  'export type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue }'

// Line by line, so that the check of imports does not take the text for one of this file.
const HEADER = [
  GENERATED,
  "import type { MediaSource } from '../upload/media-source.ts'",
  '',
  JSON_VALUE,
  '',
].join('\n')

/** The resources by name, and what each operation takes and gives. */
export function writeTypes(options: {
  operations: readonly OperationDescription[]
  schemas: JsonObject
  codes: readonly string[]
}): string {
  const { operations, schemas, codes } = options
  const resources = Object.entries(schemas)
    // The shape of an error is read by hand, as a proxy may answer in its own.
    .filter(([name]) => !name.endsWith('Error'))
    .map(([name, schema]) => declare(name, schema))
  return `${HEADER}
${resources.join('\n')}
/** Every code that an error of the service can have. */
export type ErrorCode = ${unionOf(codes)}

/** What each operation takes, gives and can fail with. */
export interface Operations {
${operations.map(operationMember).join('')}}
`
}

export function declare(name: string, schema: Json): string {
  const isInterface =
    typeof schema === 'object' && schema !== null && !Array.isArray(schema) && 'properties' in schema
  return isInterface
    ? `${documentation(schema)}export interface ${name} {${membersOf(schema)}}\n`
    : `${documentation(schema)}export type ${name} = ${typeOfSchema(schema)}\n`
}

function operationMember(row: OperationDescription): string {
  const { operation, requestSchema, answerSchema, itemSchema, parts } = row
  const body =
    parts !== null
      ? typeOfParts(parts)
      : requestSchema === undefined
        ? 'undefined'
        : typeOfSchema(requestSchema)
  const members = [
    `path: ${typeOfParameters(row.pathParameters)}`,
    `query: ${typeOfParameters(row.query)}`,
    `body: ${body}`,
    `answer: ${answerSchema === undefined ? 'undefined' : typeOfSchema(answerSchema)}`,
    ...(itemSchema === undefined ? [] : [`item: ${typeOfSchema(itemSchema)}`]),
    `errorCode: ${unionOf(row.errorCodes)}`,
  ]
  return `'${operation}': {\n${members.join('\n')}\n}\n`
}

function typeOfParameters(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return '{}'
  const members = parameters.map(({ name, required, schema, description }) => {
    const comment = documentation(schema, description)
    const type = typeOfSchema(schema)
    return `${comment}${required ? `${name}: ${type}` : `${name}?: ${type} | undefined`}\n`
  })
  return `{\n${members.join('')}}`
}

function typeOfParts(parts: NonNullable<OperationDescription['parts']>): string {
  const members = Object.entries(parts).map(([name, part]) => {
    const one = part.kind === 'file' ? 'MediaSource' : 'string'
    const type = part.kind === 'file' && part.maxFiles !== undefined ? `readonly ${one}[]` : one
    return `/** ${part.description} */\n${part.required ? `${name}: ${type}` : `${name}?: ${type} | undefined`}\n`
  })
  return `{\n${members.join('')}}`
}

const unionOf = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(' | ')
