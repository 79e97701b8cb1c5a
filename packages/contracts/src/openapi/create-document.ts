/** OpenAPI 3.1 from the contract, or from the part of it that a server serves. */
import { SOCKETS } from '../contract.ts'
import { groups as declarations } from '../groups.ts'
import type { AppRouter } from '../shared/ts-rest.ts'
import { routeOperation, socketOperation, tagOf, type WebhookDefinition, webhookItem } from './operations.ts'
import { templatePath } from './request.ts'
import { createErrorCollector, HEADERS } from './responses.ts'
import { listRoutes } from './routes.ts'
import { createSchemaCollector, type JsonObject } from './schemas.ts'

export interface DocumentOptions {
  title: string
  version: string
  /** Base URL of the service; by default the host that the document was loaded from. */
  serverUrl?: string
  /** The webhook events that the service sends. */
  webhooks?: readonly WebhookDefinition[]
  /** What the service does, as Markdown; by default what Vaani does. */
  about?: string
  /** Description of each group of its routes. */
  groups?: Readonly<Record<string, string>>
}

const GROUPS = Object.fromEntries(declarations.map(({ name, description }) => [name, description]))
const ABOUT = 'Voice-agent calls, streaming speech, synthesis, hosted models and identity verification.'
const CONVENTIONS = [
  'A rate limit (`x-rate-limit`) of N requests per period admits at most N in **any** window of that length. `x-concurrency-limit` limits how many an account can have at a time. Both limits count each account’s test mode and live mode separately. A request over either limit gets 429 `rate_limit_exceeded`, with the seconds to wait in `Retry-After`.',
  'In requests, `null` for an optional field counts as absent, a byte order mark before JSON is skipped, and times may have offsets such as `+0545` and `+05`, or no seconds. An integer that a double would change is refused: send it as a string.',
  'Fields with `x-always-sent` are optional for readers, because another service with this interface may leave them out; this service always sends them.',
]

/**
 * Describes a contract, or any part of it, as OpenAPI 3.1: parameters, bodies, streams, errors with their closed
 * sets of codes, sockets and webhooks. The same contract always gives the same document.
 *
 * @throws Error if two different schemas have the same id, or a path parameter has no schema
 * @example
 * const document = createOpenApiDocument(contract, { title: 'Vaani', version: '1.0.0' })
 */
export function createOpenApiDocument(router: AppRouter, options: DocumentOptions): JsonObject {
  const { title, version, serverUrl = '/', webhooks = [], about = ABOUT, groups = GROUPS } = options
  const routes = listRoutes(router)
  const schemas = createSchemaCollector()
  const errors = createErrorCollector(schemas)
  const collectors = { schemas, errors }
  const paths: { [path: string]: JsonObject } = {}
  const addOperation = (path: string, method: string, operation: JsonObject): void => {
    const name = templatePath(path)
    paths[name] = { ...paths[name], [method.toLowerCase()]: operation }
  }
  for (const route of routes) addOperation(route.path, route.method, routeOperation(route, collectors))
  for (const socket of Object.values(SOCKETS))
    if (routes.some(({ path }) => path === socket.path))
      addOperation(socket.path, 'get', socketOperation(socket, collectors))
  const webhookItems = webhooks.map((webhook) => [webhook.name, webhookItem(webhook, schemas)] as const)
  const descriptions = new Map(Object.entries(groups))
  const used = new Set(routes.map(({ metadata }) => tagOf(metadata.operation)))
  if (webhooks.length > 0) used.add('webhooks')
  return {
    openapi: '3.1.1',
    info: {
      title,
      version,
      description: [about, ...CONVENTIONS].join('\n\n'),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl }],
    tags: [...used].map((name) => ({ name, description: descriptions.get(name) ?? name })),
    paths,
    ...(webhookItems.length > 0 && { webhooks: Object.fromEntries(webhookItems) }),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key (`sk_test_…`, `sk_live_…`) with the scope in `x-scope`; on premise, the licence.',
        },
      },
      headers: HEADERS,
      responses: errors.components(),
      schemas: schemas.components(),
    },
  }
}
