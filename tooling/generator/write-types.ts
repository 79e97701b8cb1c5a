import type { Json, JsonObject } from '@vaani/contracts/openapi'
import { HEADER } from './header.ts'
import type { OperationDescription, Parameter } from './read-operations.ts'
import { documentation, membersOf, typeOfSchema } from './type-of-schema.ts'

export const JSON_VALUE =
  'export type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue }'

// An array of lines, so that the import check does not mistake the text for an import of this file.
const START = [HEADER, "import type { MediaSource } from '../media-source.ts'", '', JSON_VALUE, ''].join('\n')

/** Writes the resource types, and the types of each operation's parameters, body, response and error codes. */
export function writeTypes(options: {
  operations: readonly OperationDescription[]
  schemas: JsonObject
  codes: readonly string[]
}): string {
  const { operations, schemas, codes } = options
  const resources = Object.entries(schemas)
    // The client parses errors by hand, because a proxy may respond in another format.
    .filter(([name]) => !name.endsWith('Error'))
    .map(([name, schema]) => declare(name, schema))
  return `${START}
${resources.join('\n')}
/** Every error code of the service. */
export type ErrorCode = ${unionOf(codes)}

/** Parameters, body, response and error codes of each operation. */
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
    // Quoted, because names of lists end with brackets.
    return `/** ${part.description} */\n${part.required ? `'${name}': ${type}` : `'${name}'?: ${type} | undefined`}\n`
  })
  return `{\n${members.join('')}}`
}

const unionOf = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(' | ')
