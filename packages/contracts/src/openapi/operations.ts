import type { z } from 'zod'
import type { SOCKETS } from '../contract.ts'
import { ERRORS } from '../shared/errors.ts'
import {
  ADDRESS_LIMITS,
  type AddressLimitName,
  CONCURRENCY_LIMITS,
  RATE_LIMITS,
  type RateLimitName,
} from '../shared/limits.ts'
import type { RouteMetadata } from '../shared/route.ts'
import { WEBHOOK_HEADERS } from '../webhooks/event.ts'
import { headerName, parametersOf, requestBodyOf } from './request.ts'
import { type ErrorCollector, successResponse } from './responses.ts'
import type { DocumentedRoute } from './routes.ts'
import type { JsonObject, SchemaCollector } from './schemas.ts'

/** Collectors that all operations of a document share. */
export interface Collectors {
  schemas: SchemaCollector
  errors: ErrorCollector
}

export interface WebhookDefinition {
  name: string
  schema: z.ZodType
  description: string
}

/** Returns the tag of an operation: `calls` for `calls.place`. */
export const tagOf = (operation: string): string => operation.split('.', 1)[0] ?? ''

interface Described {
  operation: string
  summary?: string | undefined
  description?: string | undefined
  access: RouteMetadata['access']
  scope: RouteMetadata['scope']
}

/** Returns the fields that routes and sockets have in common. */
function describeOperation({ operation, summary, description, access, scope }: Described): JsonObject {
  const needs = scope === null ? '' : `\n\nRequires a key with the scope \`${scope}\`.`
  return {
    operationId: operation,
    tags: [tagOf(operation)],
    summary: summary ?? operation,
    description: `${description ?? ''}${needs}`,
    security: access === 'key' ? [{ apiKey: [] }] : [],
    ...(scope !== null && { 'x-scope': scope }),
  }
}

/** Describes a route of the contract as an operation. */
export function routeOperation(route: DocumentedRoute, { schemas, errors }: Collectors): JsonObject {
  const { metadata, summary, description } = route
  const { limit, addressLimit, concurrency, beyondSpecification } = metadata
  const isLimited = limit !== null || addressLimit !== null || concurrency !== null
  const requestBody = requestBodyOf(route, metadata, schemas)
  const responses = Object.entries(route.responses).map(([status, schema]): [string, JsonObject] => {
    const codes = metadata.errors.filter((code) => ERRORS[code].status === Number(status))
    if (codes.length === 0) return [status, successResponse(schema, { status, metadata, isLimited }, schemas)]
    return [status, errors.add(codes, isLimited)]
  })
  return {
    ...describeOperation({ ...metadata, summary, description }),
    ...(limit !== null && { 'x-rate-limit': describeLimit(limit) }),
    ...(addressLimit !== null && { 'x-rate-limit': describeAddressLimit(addressLimit) }),
    ...(concurrency !== null && {
      'x-concurrency-limit': {
        name: concurrency,
        per: 'account',
        limits: CONCURRENCY_LIMITS[concurrency].limits,
      },
    }),
    ...(beyondSpecification && { 'x-beyond-specification': true }),
    parameters: parametersOf(route, schemas),
    ...(requestBody && { requestBody }),
    responses: Object.fromEntries(responses),
  }
}

function describeLimit(limit: NonNullable<RouteMetadata['limit']>): JsonObject {
  if (typeof limit === 'string') return describePolicy(limit)
  const byModel = Object.entries(limit.by_model).map(([model, name]) => [model, describePolicy(name)])
  return { by_model: Object.fromEntries(byModel) }
}

function describePolicy(name: RateLimitName): JsonObject {
  const { per, rates, beyondSpecification } = RATE_LIMITS[name]
  const byTier = Object.entries(rates).map(([tier, rate]) => [
    tier,
    rate && { limit: rate.limit, period_seconds: rate.periodSeconds },
  ])
  return {
    name,
    per,
    rates: Object.fromEntries(byTier),
    ...(beyondSpecification && { beyond_specification: true }),
  }
}

function describeAddressLimit(name: AddressLimitName): JsonObject {
  const { limit, periodSeconds } = ADDRESS_LIMITS[name]
  return { name, per: 'address', limit, period_seconds: periodSeconds }
}

/** Describes a WebSocket as the GET that requests the upgrade, with its messages in an extension. */
export function socketOperation(
  socket: (typeof SOCKETS)[keyof typeof SOCKETS],
  collectors: Collectors,
): JsonObject {
  const { schemas } = collectors
  return {
    ...routeOperation(socket.upgrade, collectors),
    'x-websocket': {
      protocol: socket.protocol,
      keyProtocolPrefix: socket.keyProtocolPrefix,
      clientMessages: schemas.add(socket.clientMessages, 'input'),
      serverMessages: schemas.add(socket.serverMessages, 'output'),
      serverBinary: socket.serverBinary,
    },
  }
}

const SIGNATURE_HEADERS: Readonly<Record<string, string>> = {
  [WEBHOOK_HEADERS.signature]:
    'HMAC-SHA256 of the raw body with the webhook secret, in lower-case hex. A single signature: while two secrets are valid ' +
    'after a rotation, it is made with the new one unless the rotation asked for `previous`.',
  [WEBHOOK_HEADERS.standardId]:
    'Id of the event, as in Standard Webhooks: the same for every attempt, so that a receiver can skip duplicates.',
  [WEBHOOK_HEADERS.standardTimestamp]:
    'Time of this attempt in seconds since the epoch, as in Standard Webhooks; the time of the event is `created_at`.',
  [WEBHOOK_HEADERS.standardSignature]:
    '`v1,` and a base64 HMAC-SHA256, as in Standard Webhooks; one for each valid secret, separated by spaces.',
}

/** Describes a webhook as the POST that its receiver serves. */
export function webhookItem(webhook: WebhookDefinition, schemas: SchemaCollector): JsonObject {
  return {
    post: {
      operationId: `webhooks.${webhook.name}`,
      tags: ['webhooks'],
      summary: webhook.description,
      description: 'Retried until the receiver returns a 2xx, for at most 24 h.',
      security: [],
      parameters: Object.entries(SIGNATURE_HEADERS).map(([name, description]) => ({
        name: headerName(name),
        in: 'header',
        required: true,
        description,
        schema: { type: 'string' },
      })),
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemas.add(webhook.schema, 'output') } },
      },
      responses: {
        '2XX': { description: 'Received.' },
        '410': { description: 'Not retried; the endpoint is disabled.' },
        default: { description: 'Retried later.' },
      },
    },
  }
}
