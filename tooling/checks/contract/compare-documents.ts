import { compareSchemas, type Direction, type Sides } from './compare-schemas.ts'
import { isObject, type JsonObject, member, type Node, resolveNode } from './json.ts'

/** Lists the changes that break clients of the OpenAPI document `before` if the server follows `after`, each with its field. */
export function findBreakingChanges(before: JsonObject, after: JsonObject): string[] {
  const sides = { before: { document: before, value: before }, after: { document: after, value: after } }
  return [
    ...compareOperations(within(sides, 'paths'), { ask: 'sent', answer: 'received' }, ''),
    // Webhooks are sent by our server and answered by its clients.
    ...compareOperations(within(sides, 'webhooks'), { ask: 'received', answer: 'sent' }, 'webhook '),
  ]
}

type Named = { readonly before: Node & { value: JsonObject }; readonly after: Node & { value: JsonObject } }
interface Directions {
  readonly ask: Direction
  readonly answer: Direction
}

const within = ({ before, after }: Sides, name: string): Named => ({
  before: member(before, name),
  after: member(after, name),
})

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace']

function compareOperations(paths: Named, directions: Directions, prefix: string): string[] {
  return Object.keys(paths.before.value).flatMap((path) => {
    const item = within(paths, path)
    return METHODS.filter((method) => method in item.before.value).flatMap((method) => {
      const place = `${prefix}${method.toUpperCase()} ${path}`
      if (!(method in item.after.value)) return [`${place}: is gone`]
      const operation = within(item, method)
      return [
        ...compareIdentity(operation, place),
        ...compareParameters(operation, directions.ask, place),
        ...compareBody(operation, directions.ask, place),
        ...compareResponses(operation, directions.answer, place),
      ]
    })
  })
}

/** Checks the fields that generated clients and keys depend on. */
function compareIdentity({ before, after }: Named, place: string): string[] {
  return ['operationId', 'x-scope', 'x-websocket', 'security']
    .filter((field) => JSON.stringify(before.value[field]) !== JSON.stringify(after.value[field]))
    .map((field) => `${place}: \`${field}\` has changed`)
}

function compareParameters(operation: Named, direction: Direction, place: string): string[] {
  const [was, is] = [parametersOf(operation.before), parametersOf(operation.after)]
  const gone = [...was.keys()].filter((name) => !is.has(name)).map((name) => `${place} ${name}: is gone`)
  const added = [...is]
    .filter(([name, { value }]) => !was.has(name) && direction === 'sent' && value['required'] === true)
    .map(([name]) => `${place} ${name}: is required now`)
  const kept = [...was].flatMap(([name, before]) => {
    const after = is.get(name)
    if (after === undefined) return []
    const [stricter, looser] = direction === 'sent' ? [after, before] : [before, after]
    const isOther = stricter.value['required'] === true && looser.value['required'] !== true
    const schemas = compareSchemas(direction, within({ before, after }, 'schema'), `${place} ${name}`)
    const requirement = direction === 'sent' ? 'is required now' : 'is no longer always there'
    return isOther ? [`${place} ${name}: ${requirement}`, ...schemas] : schemas
  })
  return [...gone, ...added, ...kept]
}

function parametersOf(operation: Node & { value: JsonObject }): Map<string, Node & { value: JsonObject }> {
  const { parameters } = operation.value
  const list: readonly unknown[] = Array.isArray(parameters) ? parameters : []
  return new Map(
    list.map((value) => {
      const node = member({ ...operation, value: { parameter: value } }, 'parameter')
      return [`${String(node.value['in'])} ${String(node.value['name'])}`, node]
    }),
  )
}

function compareBody(operation: Named, direction: Direction, place: string): string[] {
  const body = within(operation, 'requestBody')
  const isRequired = (node: Named['before']): boolean => node.value['required'] === true
  const required =
    direction === 'sent' && isRequired(body.after) && !isRequired(body.before)
      ? [`${place} body: is required now`]
      : []
  const [old, now] = [body.before.value, body.after.value].map((value) => value['x-body-limit-bytes'])
  const isSmaller = typeof old === 'number' && typeof now === 'number' && now < old
  const limit = isSmaller ? [`${place} body: may have ${now} bytes, and had ${old}`] : []
  return [...required, ...limit, ...compareContent(body, direction, `${place} body`)]
}

function compareResponses(operation: Named, direction: Direction, place: string): string[] {
  const responses = within(operation, 'responses')
  return Object.keys(responses.before.value).flatMap((status) => {
    const inside = `${place} ${status}`
    // Removing an error response breaks no client.
    if (!(status in responses.after.value)) return status.startsWith('2') ? [`${inside}: is gone`] : []
    const response = within(responses, status)
    const headers = within(response, 'headers')
    return [
      ...compareContent(response, direction, inside),
      ...Object.keys(headers.before.value).flatMap((name) =>
        name in headers.after.value
          ? compareSchemas(direction, within(within(headers, name), 'schema'), `${inside} header ${name}`)
          : [`${inside} header ${name}: is gone`],
      ),
    ]
  })
}

function compareContent(holder: Named, direction: Direction, place: string): string[] {
  const content = within(holder, 'content')
  return Object.keys(content.before.value).flatMap((type) => {
    if (!(type in content.after.value)) return [`${place}: is no longer ${type}`]
    const media = within(content, type)
    return ['schema', 'itemSchema']
      .filter((keyword) => isObject(media.before.value[keyword]))
      .flatMap((keyword) => compareSchemas(direction, unresolved(media, keyword), place))
  })
}

/** Keeps a schema unresolved, so that a recursive schema is recognised by its reference. */
const unresolved = ({ before, after }: Named, keyword: string): Sides => ({
  before: { ...before, value: resolveNode(before).value && before.value[keyword] },
  after: { ...after, value: after.value[keyword] ?? {} },
})
