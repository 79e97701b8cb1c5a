import type { OperationDescription } from './read-operations.ts'

const HEADER = `// Written by \`pnpm --filter @vaani/client generate\` from the contracts; not to be edited.\n`

/** `calls.place` as the name of a constant: `callsPlace`. */
export const constantName = (operation: string): string =>
  operation.replaceAll(/\.(.)/g, (_, letter: string) => letter.toUpperCase())

const text = (value: string): string => `'${value}'`
const texts = (values: readonly string[]): string => `[${values.map(text).join(', ')}]`

/** What the transport asks of a route: a constant each, so that a bundle holds only those that it uses. */
export function writeRoutes(operations: readonly OperationDescription[]): string {
  const constants = operations.map(
    (row) => `export const ${constantName(row.operation)} = {
${membersOf(row)
  .map(([name, value]) => `  ${name}: ${text(value)},\n`)
  .join('')}} as const\n`,
  )
  return `${HEADER}\n${constants.join('\n')}`
}

/** Of its retries and its answer only what the transport does not do for any route. */
const membersOf = ({ operation, method, path, retry, answer, socket }: OperationDescription) =>
  [
    ['operation', operation],
    ['method', method],
    ['path', path],
    ...(retry === 'refused' ? [['retry', retry] as const] : []),
    ...(answer === 'pcm-stream' ? [['answer', answer] as const] : []),
    ...Object.entries(socket ?? {}),
  ] as const

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
    needsKey: ${row.needsKey},
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
