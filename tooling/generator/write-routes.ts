import type { JsonObject } from '@vaani/contracts/openapi'
import { HEADER } from './header.ts'
import { requiredFields } from './required-fields.ts'
import type { OperationDescription, SocketDescription } from './read-operations.ts'

/** Returns the name of an operation's constant: `callsPlace` for `calls.place`. */
const constantName = (operation: string): string =>
  operation.replaceAll(/\.(.)/g, (_, letter: string) => letter.toUpperCase())

const text = (value: string): string => `'${value}'`
const texts = (values: readonly string[]): string => `[${values.map(text).join(', ')}]`

/** Operations whose methods are written by hand, because the wire uses other names for media. */
const BY_HAND = ['identity.submitV2']

/** Groups whose operations are in several namespaces of the client: a table would put all of them into each bundle. */
const SPLIT_GROUPS = ['models', 'synthesis']

const groupOf = (operation: string): string => operation.slice(0, operation.indexOf('.'))

const isPlain = ({ operation, requestBody, answer }: OperationDescription): boolean =>
  requestBody !== 'multipart' &&
  (answer === 'json' || answer === 'none') &&
  !BY_HAND.includes(operation) &&
  !SPLIT_GROUPS.includes(groupOf(operation))

/**
 * Writes the routes that the client needs. Routes whose response is JSON or empty are in one table per group, from which the client
 * creates its methods. The others are one constant each, so that a bundle contains only those that it uses.
 */
export function writeRoutes(operations: readonly OperationDescription[], schemas: JsonObject): string {
  const plain = operations.filter(isPlain)
  const groups = [...new Set(plain.map(({ operation }) => groupOf(operation)))]
  const tables = groups.map((group) => {
    const rows = plain
      .filter(({ operation }) => groupOf(operation) === group)
      .map((row) => `  ${row.operation.slice(group.length + 1)}: ${text(rowOf(row, schemas))},\n`)
    return `export const ${group}Routes = {\n${rows.join('')}} as const\n`
  })
  const constants = operations.filter((row) => !isPlain(row)).map((row) => constantOf(row, schemas))
  return `${HEADER}\n\n${[...tables, ...constants].join('\n')}`
}

/** Writes a row in the format that the client's `Table` describes. */
function rowOf(row: OperationDescription, schemas: JsonObject): string {
  const { method, path, requestBody, query, itemSchema } = row
  const takes =
    itemSchema !== undefined ? 'pages' : requestBody === 'json' ? 'json' : query.length > 0 && 'query'
  const fields = fieldsOf(row, schemas)
  if (takes && fields === undefined) throw new Error(`A row cannot describe ${row.operation}`)
  return [method, path, ...(fields === undefined ? [] : [fields]), ...(takes ? [takes] : [])].join(' ')
}

function constantOf(row: OperationDescription, schemas: JsonObject): string {
  const { operation, method, path, answer, socket } = row
  const fields = fieldsOf(row, schemas)
  const members = [
    `operation: ${text(operation)}`,
    ...(method === 'GET' ? [] : [`method: ${text(method)}`]),
    `path: ${text(path)}`,
    ...(answer === 'pcm-stream' ? [`answer: 'pcm-stream'`] : []),
    ...(fields === undefined ? [] : [`fields: ${text(fields)}`]),
    ...(socket ? socketMembers(socket) : []),
  ]
  return `export const ${constantName(operation)} = {\n${members.join(',\n')},\n} as const\n`
}

/** Returns the required fields of a JSON response, as the client's `Route` describes them; undefined if the response is not JSON. */
function fieldsOf({ answer, answerSchema }: OperationDescription, schemas: JsonObject): string | undefined {
  if (answer !== 'json' || answerSchema === undefined) return undefined
  const { fields, entry } = requiredFields(answerSchema, schemas)
  return entry === undefined ? fields || '-' : `${entry}[]`
}

const socketMembers = ({ protocol, keyProtocolPrefix }: SocketDescription): string[] => [
  `protocol: ${text(protocol)}`,
  `keyProtocolPrefix: ${text(keyProtocolPrefix)}`,
]

/** Writes the complete description of each route, for mocks, documents and tests. */
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

/** Every route and socket of the service and of the migration worker, by operation. */
export const ROUTE_TABLE = {
${rows.join('\n')}
} as const

/** Every error code of the service. */
export const ERROR_CODES = ${texts(codes)} as const
`
}
