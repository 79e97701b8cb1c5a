import { type JsonObject, type Node, isObject, resolveNode } from './json.ts'

/** `sent`: written by clients and read by our server. `received`: written by our server and read by clients. */
export type Direction = 'sent' | 'received'

export interface Sides {
  readonly before: Node
  readonly after: Node
}

/**
 * Lists the changes from schema `before` to `after` that break clients. Requests that were valid must stay valid; responses must
 * stay within the old schema, except that enumerations and unions of named objects may grow.
 *
 * @param place of the schema, for the messages: `POST /agent/calls body`
 */
export function compareSchemas(direction: Direction, sides: Sides, place: string): string[] {
  return compare(direction, sides, place, [])
}

/** References under comparison, because schemas may contain themselves. */
type Open = readonly string[]

function compare(direction: Direction, sides: Sides, place: string, open: Open): string[] {
  const isReference = isObject(sides.before.value) && '$ref' in sides.before.value
  const pair = isReference ? JSON.stringify([sides.before.value, sides.after.value]) : ''
  if (open.includes(pair)) return []
  const inner = isReference ? [...open, pair] : open
  const before = resolveNode(sides.before)
  const after = resolveNode(sides.after)
  if (!isObject(before.value) || !isObject(after.value))
    return isSame(before.value, after.value) ? [] : [`${place}: its schema has changed`]
  if (alternativesOf(before.value) || alternativesOf(after.value))
    return compareAlternatives(direction, { before, after }, place, inner)
  const [was, is] = [before.value, after.value]
  return [
    ...compareTypes(direction, was, is, place),
    ...compareValues(direction, was, is, place),
    ...compareLimits(direction, was, is, place),
    ...compareProperties(direction, { before, after }, place, inner),
    ...comparePart('items', `${place}[]`),
    ...comparePart('propertyNames', `${place} (names)`),
    ...comparePart('additionalProperties', `${place}.*`),
    ...[...new Set([...Object.keys(was), ...Object.keys(is)])]
      .filter((keyword) => !KNOWN.has(keyword) && !keyword.startsWith('x-'))
      .filter((keyword) => !isSame(was[keyword], is[keyword]))
      .map((keyword) => `${place}: \`${keyword}\` has changed`),
  ]

  function comparePart(keyword: string, inside: string): string[] {
    if (was[keyword] === undefined && is[keyword] === undefined) return []
    // A missing schema allows everything, like `{}` and `true`.
    const schemaOf = (part: unknown): unknown => (part === undefined || part === true ? {} : part)
    const [old, now] = [schemaOf(was[keyword]), schemaOf(is[keyword])]
    if (old === false && now === false) return []
    if (old === false) return direction === 'sent' ? [] : [`${inside}: was never there, and may be now`]
    if (now === false) return direction === 'sent' ? [`${inside}: is refused now`] : []
    const parts = { before: { ...before, value: old }, after: { ...after, value: now } }
    return compare(direction, parts, inside, inner)
  }
}

/** Keywords that are compared here, or that do not affect validation. */
const KNOWN = new Set(
  (
    'type enum const properties required additionalProperties items propertyNames anyOf oneOf pattern format default ' +
    'title description example examples deprecated $comment discriminator ' +
    'maximum maxLength maxItems maxProperties minimum minLength minItems minProperties'
  ).split(' '),
)

const isSame = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right)

/** Returns whether adding to or removing from a set of allowed values breaks clients. */
function breaksBy(direction: Direction, change: { added: boolean; removed: boolean }): boolean {
  return direction === 'sent' ? change.removed : change.added
}

function typesOf(schema: JsonObject): readonly unknown[] {
  const { type } = schema
  const types = Array.isArray(type) ? type : type === undefined ? [] : [type]
  return types.includes('number') ? [...types, 'integer'] : types
}

function compareTypes(direction: Direction, was: JsonObject, is: JsonObject, place: string): string[] {
  const [old, now] = [typesOf(was), typesOf(is)]
  // No type at all means any.
  const added = old.length > 0 && (now.length === 0 || now.some((type) => !old.includes(type)))
  const removed = now.length > 0 && (old.length === 0 || old.some((type) => !now.includes(type)))
  if (!breaksBy(direction, { added, removed })) return []
  const name = (types: readonly unknown[]): string => types.join(' or ') || 'anything'
  return [`${place}: was ${name(typesIn(was))}, and is ${name(typesIn(is))}`]
}
const typesIn = ({ type }: JsonObject): readonly unknown[] =>
  Array.isArray(type) ? type : type === undefined ? [] : [type]

function valuesOf(schema: JsonObject): readonly unknown[] | undefined {
  if ('const' in schema) return [schema['const']]
  return Array.isArray(schema['enum']) ? schema['enum'] : undefined
}

function compareValues(direction: Direction, was: JsonObject, is: JsonObject, place: string): string[] {
  const [old, now] = [valuesOf(was), valuesOf(is)]
  if (direction === 'received') {
    if (old !== undefined && now === undefined) return [`${place}: is no longer one of a list of values`]
    const isOtherConstant = 'const' in was && !now?.some((value) => isSame(value, was['const']))
    return isOtherConstant ? [`${place}: is no longer ${JSON.stringify(was['const'])}`] : []
  }
  if (now === undefined) return []
  if (old === undefined) return [`${place}: must be one of a list of values now`]
  return old
    .filter((value) => !now.some((other) => isSame(value, other)))
    .map((value) => `${place}: no longer takes ${JSON.stringify(value)}`)
}

const UPPER = ['maximum', 'maxLength', 'maxItems', 'maxProperties']
const LOWER = ['minimum', 'minLength', 'minItems', 'minProperties']
const EXACT = ['pattern', 'format']

function compareLimits(direction: Direction, was: JsonObject, is: JsonObject, place: string): string[] {
  const bound = (schema: JsonObject, keyword: string, none: number): number =>
    typeof schema[keyword] === 'number' ? schema[keyword] : none
  const moved = (keyword: string, none: number): number =>
    (bound(is, keyword, none) - bound(was, keyword, none) || 0) * (none > 0 ? 1 : -1)
  const limits = [
    ...UPPER.map((keyword) => [keyword, moved(keyword, Infinity)] as const),
    ...LOWER.map((keyword) => [keyword, moved(keyword, -Infinity)] as const),
  ]
    .filter(([, widening]) => breaksBy(direction, { added: widening > 0, removed: widening < 0 }))
    .map(
      ([keyword]) =>
        `${place}: \`${keyword}\` was ${was[keyword] ?? 'not set'}, and is ${is[keyword] ?? 'not set'}`,
    )
  const texts = EXACT.filter((keyword) => !isSame(was[keyword], is[keyword]))
    .filter((keyword) =>
      breaksBy(direction, { added: was[keyword] !== undefined, removed: is[keyword] !== undefined }),
    )
    .map((keyword) => `${place}: \`${keyword}\` has changed`)
  const isDefaultOther = direction === 'sent' && 'default' in was && !isSame(was['default'], is['default'])
  return [...limits, ...texts, ...(isDefaultOther ? [`${place}: its default has changed`] : [])]
}

function compareProperties(direction: Direction, sides: Sides, place: string, open: Open): string[] {
  const parts = (node: Node): { properties: JsonObject; required: readonly unknown[] } => {
    const { properties, required } = isObject(node.value) ? node.value : {}
    return {
      properties: isObject(properties) ? properties : {},
      required: Array.isArray(required) ? required : [],
    }
  }
  const [was, is] = [parts(sides.before), parts(sides.after)]
  const removed = Object.keys(was.properties)
    .filter((name) => !(name in is.properties))
    .map((name) => `${place}.${name}: is gone`)
  const [stricter, looser] = direction === 'sent' ? [is, was] : [was, is]
  const requirement = direction === 'sent' ? 'is required now' : 'is no longer always there'
  const required = stricter.required
    .filter((name) => !looser.required.includes(name) && String(name) in is.properties)
    .map((name) => `${place}.${String(name)}: ${requirement}`)
  const inside = Object.keys(was.properties)
    .filter((name) => name in is.properties)
    .flatMap((name) =>
      compare(
        direction,
        {
          before: { ...sides.before, value: was.properties[name] },
          after: { ...sides.after, value: is.properties[name] },
        },
        `${place}.${name}`,
        open,
      ),
    )
  return [...removed, ...required, ...inside]
}

function alternativesOf(schema: JsonObject): readonly unknown[] | undefined {
  const { anyOf, oneOf } = schema
  return Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : undefined
}

function compareAlternatives(direction: Direction, sides: Sides, place: string, open: Open): string[] {
  const nodes = (node: Node): readonly Node[] => {
    const schema = isObject(node.value) ? node.value : {}
    return (alternativesOf(schema) ?? [schema]).map((value) => ({ ...node, value }))
  }
  const [was, is] = [nodes(sides.before), nodes(sides.after)]
  const problemsOf = (before: Node, after: Node): string[] =>
    compare(direction, { before, after }, place, open)
  // Each alternative that must be covered, with those that may cover it.
  const [demands, offers] = direction === 'sent' ? [was, is] : [is, was]
  return demands.flatMap((demand) => {
    const attempts = offers.map((offer) => {
      const [before, after] = direction === 'sent' ? [demand, offer] : [offer, demand]
      return { name: nameOf(offer), problems: problemsOf(before, after) }
    })
    if (attempts.some(({ problems }) => problems.length === 0)) return []
    const name = nameOf(demand)
    const namesake = attempts.find((attempt) => attempt.name === name)
    if (namesake) return namesake.problems
    // Readers of a union of named objects ignore unknown names.
    if (direction === 'received' && name.startsWith('object ')) return []
    return [`${place}: ${direction === 'sent' ? `no longer takes ${name}` : `may be ${name} now`}`]
  })
}

/** Returns the discriminator of an alternative: its constants, or its type. */
function nameOf(node: Node): string {
  const { value } = resolveNode(node)
  if (!isObject(value)) return 'anything'
  const constants = Object.entries(isObject(value['properties']) ? value['properties'] : {})
    .filter(([, property]) => isObject(property) && 'const' in property)
    .map(([name, property]) => `${name} ${JSON.stringify(isObject(property) ? property['const'] : '')}`)
  return constants.length > 0 ? `object ${constants.join(', ')}` : typesIn(value).join(' or ') || 'anything'
}
