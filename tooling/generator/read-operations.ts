import { isDeepStrictEqual } from 'node:util'
import { type AppRouter, contract, type ErrorCode, ERRORS, isErrorCode, SOCKETS } from '@vaani/contracts'
import type { PartDefinition, RouteMetadata } from '@vaani/contracts'
import { fullDocument, type Json, type JsonObject, listRoutes } from '@vaani/contracts/openapi'
import { migrationDocument } from '@vaani/contracts/openapi'
import { migrationContract } from '@vaani/contracts/migration'

/**
 * Whether retries are safe. `safe`: the request only reads. `idempotent`: repeating it changes nothing. `keyed`: an idempotency key
 * makes it idempotent. `refused`: only if the server's status means that it did nothing.
 */
export type RetryClass = 'safe' | 'idempotent' | 'keyed' | 'refused'
export type RequestBodyKind = 'none' | 'json' | 'multipart'

/** Everything that the generator needs about one route or socket. */
export interface OperationDescription {
  readonly operation: string
  readonly method: string
  /** Path template, for example `/agent/calls/{call_id}`. */
  readonly path: string
  readonly pathParameters: readonly Parameter[]
  readonly query: readonly Parameter[]
  readonly successStatuses: readonly number[]
  readonly errorCodes: readonly ErrorCode[]
  readonly retry: RetryClass
  /** Whether the route honours an idempotency key. */
  readonly idempotencyKey: boolean
  readonly requestBody: RequestBodyKind
  readonly requestSchema: Json | undefined
  readonly parts: Readonly<Record<string, PartDefinition>> | null
  readonly answer: RouteMetadata['successBody'] | 'socket'
  readonly answerSchema: Json | undefined
  /** Schema of one event, line, entry or message, if the response contains many. */
  readonly itemSchema: Json | undefined
  readonly beyondSpecification: boolean
  readonly socket?: SocketDescription
}

/** Properties that only sockets have. */
export interface SocketDescription {
  readonly protocol: string
  readonly keyProtocolPrefix: string
}

export interface Parameter {
  readonly name: string
  readonly required: boolean
  readonly schema: Json | undefined
  readonly description: string | undefined
}

const RETRY_CLASSES: Readonly<Record<string, RetryClass>> = {
  GET: 'safe',
  PUT: 'idempotent',
  DELETE: 'idempotent',
  POST: 'keyed',
  PATCH: 'refused',
}

const objectAt = (value: Json | undefined, ...names: readonly string[]): JsonObject => {
  let at = value
  for (const name of names) at = isObject(at) ? at[name] : undefined
  return isObject(at) ? at : {}
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Everything that the client can request, in one description. */
export interface Requests {
  readonly operations: readonly OperationDescription[]
  /** Schemas of all documents, by name. */
  readonly schemas: JsonObject
}

/** Describes every route and socket of the service and of the migration worker, combined with its operation in their documents. */
export function readRequests(): Requests {
  const service = fullDocument()
  const migration = migrationDocument()
  return {
    operations: [
      ...readRoutes(contract, service),
      ...readSockets(service),
      ...readRoutes(migrationContract, migration),
    ],
    schemas: mergeSchemas(schemasOf(service), schemasOf(migration)),
  }
}

const schemasOf = (document: JsonObject): JsonObject => objectAt(document, 'components', 'schemas')

/** @throws Error if two documents mean different things by one name */
function mergeSchemas(one: JsonObject, other: JsonObject): JsonObject {
  for (const [name, schema] of Object.entries(other))
    if (name in one && !isDeepStrictEqual(one[name], schema))
      throw new Error(`Two documents define ${name} differently`)
  return { ...one, ...other }
}

/** Describes a socket as the GET that opens it, with the client's messages as body and the server's as items. */
function readSockets(document: JsonObject): OperationDescription[] {
  return Object.values(SOCKETS).map(({ operation, path, protocol, keyProtocolPrefix, errors }) => {
    const upgrade = objectAt(document, 'paths', path, 'get')
    const messages = objectAt(upgrade, 'x-websocket')
    return {
      operation,
      method: 'GET',
      path,
      pathParameters: [],
      query: parametersIn(upgrade, 'query'),
      successStatuses: [101],
      errorCodes: errors,
      retry: 'safe',
      idempotencyKey: false,
      requestBody: 'none',
      requestSchema: messages['clientMessages'],
      parts: null,
      answer: 'socket',
      answerSchema: undefined,
      itemSchema: messages['serverMessages'],
      beyondSpecification: false,
      socket: { protocol, keyProtocolPrefix },
    }
  })
}

function readRoutes(router: AppRouter, document: JsonObject): OperationDescription[] {
  return listRoutes(router).map(({ method, path, metadata }) => {
    const template = path.replaceAll(/:([a-z_]+)/g, '{$1}')
    const operation = objectAt(document, 'paths', template, method.toLowerCase())
    const successStatuses = Object.keys(objectAt(operation, 'responses'))
      .map(Number)
      .filter((status) => status < 300)
    const success = objectAt(operation, 'responses', String(successStatuses[0]), 'content')
    const content = objectAt(operation, 'requestBody', 'content')
    const retry = RETRY_CLASSES[method]
    if (retry === undefined) throw new Error(`No retry class for ${method}`)
    const answerSchema = objectAt(success, 'application/json')['schema']
    return {
      operation: metadata.operation,
      method,
      path: template,
      pathParameters: parametersIn(operation, 'path'),
      query: parametersIn(operation, 'query'),
      successStatuses,
      errorCodes: [...metadata.errors],
      retry,
      idempotencyKey: metadata.idempotencyKey,
      requestBody: metadata.parts !== null ? 'multipart' : 'application/json' in content ? 'json' : 'none',
      requestSchema: objectAt(content, 'application/json')['schema'],
      parts: metadata.parts,
      answer: metadata.successBody,
      answerSchema,
      itemSchema: itemOf(success, answerSchema),
      beyondSpecification: metadata.beyondSpecification,
    }
  })
}

function parametersIn(operation: JsonObject, place: string): Parameter[] {
  const parameters = Array.isArray(operation['parameters']) ? operation['parameters'] : []
  return parameters.filter(isObject).flatMap((parameter) => {
    const { name, required, schema, description } = parameter
    if (parameter['in'] !== place || typeof name !== 'string') return []
    return [
      {
        name,
        required: required === true,
        schema,
        description: typeof description === 'string' ? description : undefined,
      },
    ]
  })
}

/** Returns the schema of one event or line of a stream, or of one entry of a page. */
function itemOf(success: JsonObject, answer: Json | undefined): Json | undefined {
  for (const media of Object.values(success))
    if (isObject(media) && media['x-item-schema'] !== undefined) return media['x-item-schema']
  const properties = objectAt(answer, 'properties')
  return 'next_cursor' in properties ? objectAt(properties, 'data')['items'] : undefined
}

/** Returns every error code of the contract, by status. */
export const errorCodes = (): ErrorCode[] =>
  Object.keys(ERRORS)
    .filter(isErrorCode)
    .toSorted((one, other) => ERRORS[one].status - ERRORS[other].status)
