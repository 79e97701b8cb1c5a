/**
 * The only file of the server that imports ts-rest. Defines handlers, mounts them, and converts the library's errors to ours
 * (docs/decisions/0001-ts-rest-and-zod.md).
 */
import { isAppRoute, TsRestResponseValidationError } from '@ts-rest/core'
import { type AppRouteImplementation, initServer, type RequestValidationError } from '@ts-rest/fastify'
import {
  type AppRoute,
  type AppRouter,
  isOptionalBody,
  readInput,
  type RouteMetadata,
} from '@vaani/contracts'
import type { DocumentedRoute } from '@vaani/contracts/openapi'
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type RequestIssues, toValidationError } from './errors/validation-error.ts'

const library = initServer()

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set by the library; the hooks read the route from here. */
    tsRestRoute?: { metadata?: RouteMetadata; isBodyOptional?: boolean }
    /** Whether the handler reads the body as it arrives. */
    isStreamed?: true
  }
}

/** The handler of one route of the contract. */
export type Handler<Route extends AppRoute> = AppRouteImplementation<Route>

/** Handlers for every route of a part of the contract. */
export type Handlers<Router extends AppRouter> = {
  [Name in keyof Router]: Router[Name] extends AppRoute
    ? Handler<Router[Name]>
    : Router[Name] extends AppRouter
      ? Handlers<Router[Name]>
      : never
}

/** Mounts routes on the application. `served` is the part of the contract that all features serve. */
export type Mount = (app: FastifyInstance, served: AppRouter) => Promise<void>

/** The response of a route's handler. */
export type AnswerOf<Route extends AppRoute> = Awaited<ReturnType<Handler<Route>>>

/** Mounts the handlers of one part of the contract. */
export const mount = <Router extends AppRouter>(
  app: FastifyInstance,
  router: Router,
  handlers: Handlers<Router>,
): Promise<void> => register(app, router, handlers)

/** Mounts a handler whose responses the compiler cannot check because some were stored. They are validated on sending. */
export const mountChecked = (
  app: FastifyInstance,
  route: AppRoute,
  handler: (input: {
    request: FastifyRequest
    reply: FastifyReply
  }) => Promise<{ status: number; body: unknown }>,
): Promise<void> => register(app, { [route.path]: route }, { [route.path]: handler })

/** Names a plugin for Fastify, which would otherwise search all loaded modules for its name, several times. */
const named = <Plugin extends object>(plugin: Plugin): Plugin =>
  Object.assign(plugin, { [Symbol.for('fastify.display-name')]: 'routes' })

/** Registers the library's plugin. Errors are left to the application's error handler. */
async function register<Router extends AppRouter>(
  app: FastifyInstance,
  router: Router,
  handlers: object,
): Promise<void> {
  const guarded = guard(router, handlers)
  const routes = library.router(readingInput(router), guarded as Parameters<typeof library.router<Router>>[1])
  await app.register(named(library.plugin(routes)), {
    logInitialization: false,
    responseValidation: true,
    requestValidationErrorHandler: (error) => {
      throw toValidationError(issuesOf(error))
    },
  })
}

/** Mounts a route that responds with prepared bytes, which skips the schema validation of each response. */
export function mountMade(
  app: FastifyInstance,
  { method, path, metadata }: Pick<DocumentedRoute, 'method' | 'path' | 'metadata'>,
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
): void {
  app.route({ method, url: path, config: { tsRestRoute: { metadata } }, handler })
}

/** Returns the routes with requests validated by `readInput`. */
function readingInput<Router extends AppRouter>(router: Router): Router {
  const nodes = Object.entries(router).map(([name, node]) => {
    if (!isAppRoute(node)) return [name, readingInput(node)]
    const parts = {
      pathParams: node.pathParams,
      query: node.query,
      ...('body' in node && { body: node.body }),
    }
    return [
      name,
      {
        ...node,
        ...mapSchemas(parts),
        headers: mapSchemas(node.headers ?? {}),
        isBodyOptional: isOptionalBody(node),
      },
    ]
  })
  // The same routes, whose schemas accept more.
  return Object.fromEntries(nodes) as Router
}

const mapSchemas = (schemas: object): object =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]: [string, unknown]) => [
      name,
      schema instanceof z.ZodType ? inputSchema(schema) : schema,
    ]),
  )

/** A schema in the form that the library calls (https://standardschema.dev). */
const inputSchema = (schema: z.ZodType) => ({
  '~standard': {
    version: 1,
    vendor: 'vaani',
    validate(value: unknown) {
      const result = readInput(schema, value)
      return result.success ? { value: result.data } : { issues: result.error.issues }
    },
  },
})

function issuesOf(error: RequestValidationError): RequestIssues {
  return {
    path: error.pathParams?.issues ?? [],
    headers: error.headers?.issues ?? [],
    query: error.query?.issues ?? [],
    body: error.body?.issues ?? [],
  }
}

export const isResponseContractError = (error: unknown): boolean =>
  error instanceof TsRestResponseValidationError

/** Returns the contract's metadata of the request's route; undefined if no route matched. */
export function metadataOf(request: FastifyRequest): RouteMetadata | undefined {
  return metadataOfConfig(request.routeOptions.config)
}

export const isStreamed = (request: FastifyRequest): boolean =>
  request.routeOptions.config.isStreamed === true

/** Marks all routes mounted on the scope from now on as streamed. */
export function markStreamed(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, isStreamed: true }
  })
}

export function metadataOfConfig(config: FastifyContextConfig | undefined): RouteMetadata | undefined {
  return config?.tsRestRoute?.metadata
}

/** Wraps handlers to reject a status that their route does not declare, which the library would send unchecked. */
function guard(router: AppRouter, handlers: object): object {
  const entries = Object.entries(handlers).map(([name, handler]: [string, unknown]) => {
    const node = router[name]
    if (node === undefined || !isHandler(handler)) return [name, guardTree(node, handler)]
    const responses = 'responses' in node ? node.responses : {}
    return [
      name,
      async (input: unknown) => {
        const response = await handler(input)
        if (!Object.hasOwn(responses, response.status))
          throw new Error(`${name} returned ${response.status}, which its contract does not declare`)
        return response
      },
    ]
  })
  return Object.fromEntries(entries)
}

const isHandler = (value: unknown): value is (input: unknown) => Promise<{ status: number }> =>
  typeof value === 'function'

function guardTree(node: AppRouter[string] | undefined, handlers: unknown): unknown {
  if (node === undefined || 'method' in node || typeof handlers !== 'object' || handlers === null)
    return handlers
  return guard(node, handlers)
}
