import type { Json, JsonObject } from '@vaani/contracts/openapi'
import { requiredFields } from './required-fields.ts'
import type { OperationDescription, SocketDescription } from './read-operations.ts'

const HEADER = `// Written by \`pnpm --filter @vaani/client generate\` from the contracts; not to be edited.\n`

/** `calls.place` as the name of a constant: `callsPlace`. */
export const constantName = (operation: string): string =>
  operation.replaceAll(/\.(.)/g, (_, letter: string) => letter.toUpperCase())

const text = (value: string): string => `'${value}'`
const texts = (values: readonly string[]): string => `[${values.map(text).join(', ')}]`

/**
 * What the transport needs of a route: a constant each, so that a bundle holds only those that it uses. It retries by default,
 * and asks of an answer whether it is streamed speech, and which fields it must have.
 */
export function writeRoutes(operations: readonly OperationDescription[], schemas: JsonObject): string {
  const constants = operations.map(
    ({
      operation,
      method,
      path,
      retry,
      answer,
      answerSchema,
      socket,
    }) => `export const ${constantName(operation)} = {
  operation: ${text(operation)},
${method === 'GET' ? '' : `  method: ${text(method)},\n`}  path: ${text(path)},${retry === 'refused' ? `\n  retry: 'refused',` : ''}${answer === 'pcm-stream' ? `\n  answer: 'pcm-stream',` : ''}
${answer === 'json' ? answerMembers(answerSchema, schemas) : ''}${socket ? socketMembers(socket) : ''}} as const\n`,
  )
  return `${HEADER}\n${constants.join('\n')}`
}

/** What an answer must have, and what the entries of its list must. */
function answerMembers(schema: Json | undefined, schemas: JsonObject): string {
  if (schema === undefined) return ''
  const { fields, entry } = requiredFields(schema, schemas)
  return entry === undefined ? `  fields: ${text(fields)},\n` : `  entry: ${text(entry)},\n`
}

const socketMembers = ({ protocol, keyProtocolPrefix }: SocketDescription): string =>
  `  protocol: ${text(protocol)},
  keyProtocolPrefix: ${text(keyProtocolPrefix)},
`

/** All that there is to know of each route, for mocks, documents and tests. */
export function writeRouteTable(
  operations: readonly OperationDescription[],
  codes: readonly string[],
): string {
  const rows = operations.map(
    (row) => `  '${row.operation}': {
    method: ${text(row.method)},
    path: ${text(row.path)},
    pathParameters: ${texts(row.pathParameters.map(({ name }) => name))},
    query: ${texts(row.query.map(({ name }) => name))},
    successStatuses: [${row.successStatuses.join(', ')}],
    errorCodes: ${texts(row.errorCodes)},
    retry: ${text(row.retry)},
    idempotencyKey: ${row.idempotencyKey},
    requestBody: ${text(row.requestBody)},
    answer: ${text(row.answer)},
    beyondSpecification: ${row.beyondSpecification},
  },`,
  )
  return `${HEADER}
/** Every route and socket of the service by its operation. */
export const ROUTE_TABLE = {
${rows.join('\n')}
} as const

/** Every code that an error of the service can have. */
export const ERROR_CODES = ${texts(codes)} as const
`
}
