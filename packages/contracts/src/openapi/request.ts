import { z } from 'zod'
import { sizeText } from '../shared/bytes.ts'
import { isOptionalBody } from '../shared/optional-body.ts'
import { LINES_TYPES, type PartDefinition, type RouteMetadata } from '../shared/route.ts'
import type { AppRoute } from '../shared/ts-rest.ts'
import type { JsonObject, SchemaCollector } from './schemas.ts'

const PATH_PARAMETER = /:([a-z_]+)/g

/** `/calls/:call_id` as OpenAPI writes it: `/calls/{call_id}`. */
export const templatePath = (path: string): string => path.replace(PATH_PARAMETER, '{$1}')

/** `x-request-id` as it is commonly written: `X-Request-Id`. */
export const headerName = (name: string): string =>
  name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase())

/** Returns the parameters of the path, the query and the headers. */
export function parametersOf(route: AppRoute, schemas: SchemaCollector): JsonObject[] {
  const names = [...route.path.matchAll(PATH_PARAMETER)].map((match) => match[1] ?? '')
  const path = new Map(fieldsOf(route.pathParams))
  return [
    ...names.map((name) => {
      const schema = path.get(name)
      if (schema === undefined) throw new Error(`The path parameter ${name} has no schema`)
      return parameter('path', [name, schema], schemas)
    }),
    ...fieldsOf(route.query).map((field) => parameter('query', field, schemas)),
    ...schemasIn(route.headers).map(([name, schema]) =>
      parameter('header', [headerName(name), schema], schemas),
    ),
  ]
}

type Field = readonly [name: string, schema: z.ZodType]

const fieldsOf = (object: unknown): Field[] => (object instanceof z.ZodObject ? schemasIn(object.shape) : [])

const schemasIn = (shape: unknown): Field[] =>
  Object.entries(shape ?? {}).flatMap(([name, schema]): Field[] =>
    schema instanceof z.ZodType ? [[name, schema]] : [],
  )

function parameter(
  place: 'path' | 'query' | 'header',
  [name, schema]: Field,
  schemas: SchemaCollector,
): JsonObject {
  const { description, examples, ...json } = schemas.add(schema, 'input')
  const required = place === 'path' || !schema.safeParse(undefined).success
  return {
    name,
    in: place,
    required,
    ...(description !== undefined && { description }),
    // `examples` stay in the schema, because those of a parameter have another shape. Optional parameters have none, because
    // viewers would send them: an unwanted filter, or the same idempotency key for different requests.
    schema: { ...json, ...(required && examples !== undefined && { examples }) },
  }
}

/** Returns the body of a request, or undefined if it has none. */
export function requestBodyOf(
  route: AppRoute,
  metadata: RouteMetadata,
  schemas: SchemaCollector,
): JsonObject | undefined {
  const limit = { 'x-body-limit-bytes': metadata.bodyLimitBytes }
  if (metadata.parts !== null) {
    const content = { 'multipart/form-data': multipartOf(metadata.parts, schemas) }
    return { required: true, ...limit, content }
  }
  const body = 'body' in route ? route.body : undefined
  if (!(body instanceof z.ZodType)) return undefined
  const json = { schema: schemas.add(body, 'input'), ...examplesOf(body) }
  const form = metadata.formParts && { 'multipart/form-data': multipartOf(metadata.formParts, schemas) }
  const { lines: given } = metadata
  const lines = given && { [FIRST_LINES]: linesOf(given), ...OTHER_LINES }
  const required = !isOptionalBody(route)
  return { required, ...limit, content: { 'application/json': json, ...form, ...lines } }
}

/** Returns the examples of a body where tools that send it look for them; those in the schema are for its readers. */
function examplesOf(body: z.ZodType): JsonObject {
  const examples = z.array(z.json()).parse(body.meta()?.['examples'] ?? [])
  const named = examples.map((value, index) => [`example-${index + 1}`, { value }] as const)
  return named.length === 0 ? {} : { examples: Object.fromEntries(named) }
}

const [FIRST_LINES, ...OTHERS] = LINES_TYPES
const OTHER_LINES = Object.fromEntries(
  OTHERS.map((type) => [type, { schema: { type: 'string', description: `As ${FIRST_LINES}.` } }]),
)

const linesOf = ({ description, example }: NonNullable<RouteMetadata['lines']>): JsonObject => ({
  schema: { type: 'string', description },
  examples: { 'example-1': { value: example } },
})

function multipartOf(parts: NonNullable<RouteMetadata['parts']>, schemas: SchemaCollector): JsonObject {
  const properties: JsonObject = {}
  const encoding: JsonObject = {}
  for (const [name, part] of Object.entries(parts)) {
    properties[name] = partSchema(part, schemas)
    if (part.kind === 'file') encoding[name] = { contentType: part.mediaTypes.join(', ') }
  }
  const required = Object.keys(parts).filter((name) => parts[name]?.required)
  return { schema: { type: 'object', required, properties }, encoding }
}

function partSchema(part: PartDefinition, schemas: SchemaCollector): JsonObject {
  if (part.kind === 'text') return { ...schemas.add(part.schema, 'input'), description: part.description }
  const description = `${part.description} At most ${sizeText(part.maxBytes)}.`
  const file: JsonObject = { type: 'string', format: 'binary', 'x-max-bytes': part.maxBytes }
  if (part.maxFiles === undefined) return { ...file, description }
  return { type: 'array', items: file, minItems: 1, maxItems: part.maxFiles, description }
}
