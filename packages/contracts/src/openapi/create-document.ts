/** OpenAPI 3.1 from the contract, or from the part of it that a server serves. */
import type { z } from 'zod'
import { type ErrorStatus, errorBodySchema, ERRORS, type ErrorCode } from '../shared/errors.ts'
import { RATE_LIMITS } from '../shared/limits.ts'
import type { RouteMetadata } from '../shared/route.ts'
import type { AppRoute, AppRouter } from '../shared/ts-rest.ts'
import { SOCKETS } from '../speech/routes.ts'
import { WEBHOOK_HEADERS } from '../webhooks/event.ts'
import { parametersOf, requestBodyOf } from './request.ts'
import { createErrorResponses, type ErrorResponses, HEADERS, successResponse } from './responses.ts'
import { createSchemaCollector, type JsonObject, type SchemaCollector } from './schemas.ts'

export interface DocumentOptions {
  title: string
  version: string
  /** Where the service is; default: where the document was got from. */
  serverUrl?: string
  /** Schemas of the webhook events that the service sends. */
  webhooks?: readonly { name: string; schema: z.ZodType; description: string }[]
}

type DocumentedRoute = AppRoute & { metadata: RouteMetadata }

const TAGS: Readonly<Record<string, string>> = {
  calls: 'Voice-agent calls.',
  agents: 'Agents that calls are placed from.',
  speech: 'Streaming speech.',
  synthesis: 'Speech as files, streams and sockets.',
  voices: 'Cloned voices.',
  identity: 'Identity verification.',
  models: 'Hosted models.',
  batches: 'Asynchronous batches.',
  deployments: 'Models on premise.',
  webhooks: 'Webhook endpoints and deliveries.',
  admin: 'Accounts, keys, caller ids and agents.',
  system: 'What operators read.',
}

const isRoute = (node: AppRouter | AppRoute): node is AppRoute => 'method' in node && 'path' in node

function hasMetadata(route: AppRoute): route is DocumentedRoute {
  return typeof route.metadata === 'object' && route.metadata !== null && 'operation' in route.metadata
}

/** Every route of a contract or of a part of it, in its order. */
export function listRoutes(router: AppRouter): DocumentedRoute[] {
  return Object.values(router).flatMap((node) => {
    if (!isRoute(node)) return listRoutes(node)
    if (!hasMetadata(node)) throw new Error(`The route ${node.method} ${node.path} has no metadata`)
    return [node]
  })
}

/**
 * Describes a contract as OpenAPI 3.1: parameters, bodies, streams, errors with their closed codes, and sockets.
 *
 * @example
 * const document = createOpenApiDocument(contract, { title: 'Vaani', version: '1.0.0' })
 */
export function createOpenApiDocument(router: AppRouter, options: DocumentOptions): JsonObject {
  const { title, version, serverUrl = '/', webhooks = [] } = options
  const routes = listRoutes(router)
  const schemas = createSchemaCollector()
  const errors = createErrorResponses()
  const paths: { [path: string]: JsonObject } = {}
  for (const route of routes) {
    const path = route.path.replace(/:([a-z_]+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, schemas, errors) }
  }
  for (const socket of Object.values(SOCKETS))
    if (routes.some(({ path }) => path === socket.path))
      paths[socket.path] = { ...paths[socket.path], get: socketOperation(socket, schemas) }
  const used = new Set(routes.map(({ metadata }) => tagOf(metadata)))
  const webhookItems = webhooks.map(({ name, schema, description }) => [name, webhookItem({ name, schema, description }, schemas)] as const)
  const error = schemas.add(errorBodySchema(Object.keys(ERRORS) as ErrorCode[]), 'output')
  return {
    openapi: '3.1.1',
    info: {
      title,
      version,
      description: 'Voice-agent calls, streaming speech, synthesis, hosted models and identity verification.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl }],
    tags: Object.entries(TAGS)
      .filter(([name]) => used.has(name))
      .map(([name, description]) => ({ name, description })),
    paths,
    ...(webhookItems.length > 0 && { webhooks: Object.fromEntries(webhookItems) }),
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key (`sk_test_…`, `sk_live_…`); on premise, the licence.' },
      },
      headers: HEADERS,
      responses: errors.components(),
      schemas: { Error: { ...error, description: 'The body of every answer that is not a success.' }, ...schemas.components() },
    },
  }
}

const tagOf = (metadata: RouteMetadata): string => metadata.operation.split('.', 1)[0] ?? ''

function securityOf({ access, scope }: { access: 'key' | 'public'; scope: string | null }): JsonObject {
  return { security: access === 'key' ? [{ apiKey: [] }] : [], ...(scope !== null && { 'x-scope': scope }) }
}

function operationOf(route: DocumentedRoute, schemas: SchemaCollector, errors: ErrorResponses): JsonObject {
  const { metadata } = route
  const requestBody = requestBodyOf(route, metadata, schemas)
  const responses: JsonObject = {}
  for (const [status, schema] of Object.entries(route.responses))
    responses[status] =
      Number(status) < 400
        ? successResponse({ status, schema, metadata, schemas })
        : errors.add(Number(status) as ErrorStatus, metadata)
  return {
    operationId: metadata.operation,
    tags: [tagOf(metadata)],
    summary: route.summary ?? metadata.operation,
    description: route.description ?? '',
    ...securityOf(metadata),
    ...(metadata.limit !== null && { 'x-rate-limit': limitOf(metadata.limit) }),
    ...(metadata.beyondSpecification && { 'x-beyond-specification': true }),
    parameters: parametersOf(route, schemas),
    ...(requestBody && { requestBody }),
    responses,
  }
}

function limitOf(limit: NonNullable<RouteMetadata['limit']>): JsonObject {
  const describe = (name: keyof typeof RATE_LIMITS): JsonObject => ({
    name,
    per: RATE_LIMITS[name].per,
    rates: Object.fromEntries(
      Object.entries(RATE_LIMITS[name].rates).map(([tier, rate]) => [
        tier,
        rate === null ? null : { limit: rate.limit, period_seconds: rate.periodSeconds },
      ]),
    ),
  })
  if (typeof limit === 'string') return describe(limit)
  return { by_model: Object.fromEntries(Object.entries(limit.by_model).map(([model, name]) => [model, describe(name)])) }
}

function socketOperation(socket: (typeof SOCKETS)[keyof typeof SOCKETS], schemas: SchemaCollector): JsonObject {
  return {
    operationId: socket.operation,
    tags: [socket.operation.split('.', 1)[0] ?? ''],
    summary: socket.summary,
    description: socket.description,
    ...securityOf({ access: 'key', scope: socket.scope }),
    'x-websocket': {
      client: schemas.add(socket.clientMessages, 'input'),
      server: schemas.add(socket.serverMessages, 'output'),
      binary: '20 ms frames of 16 kHz mono pcm16.',
    },
    parameters: [],
    responses: {
      '101': { description: 'The connection is a WebSocket from here on.' },
      '401': { description: '`unauthorized`', content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
    },
  }
}

function webhookItem(
  webhook: NonNullable<DocumentOptions['webhooks']>[number],
  schemas: SchemaCollector,
): JsonObject {
  const header = (name: string, description: string): JsonObject => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  })
  return {
    post: {
      operationId: `webhook.${webhook.name}`,
      tags: ['webhooks'],
      summary: webhook.description,
      description: 'Sent until a 2xx is answered, for at most 24 h.',
      security: [],
      parameters: [
        header(WEBHOOK_HEADERS.signature, 'HMAC-SHA256 of the raw body with the webhook secret, in lower-case hex.'),
        header(WEBHOOK_HEADERS.standardId, 'As in Standard Webhooks.'),
        header(WEBHOOK_HEADERS.standardTimestamp, 'As in Standard Webhooks.'),
        header(WEBHOOK_HEADERS.standardSignature, 'As in Standard Webhooks.'),
      ],
      requestBody: { required: true, content: { 'application/json': { schema: schemas.add(webhook.schema, 'output') } } },
      responses: { '2XX': { description: 'Received.' }, '4XX': { description: 'Tried again; 410 ends it.' } },
    },
  }
}
