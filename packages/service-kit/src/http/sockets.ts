/** The only file that imports `ws`. */
import { readInput } from '@vaani/contracts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'
import type { z } from 'zod'
import type { Limiter } from '../limits/create-limiter.ts'
import { ApiError } from './errors/api-error.ts'
import { refuseModel } from './authorize.ts'
import { limitByModel } from './limits/rate-limits.ts'
import type { Mount } from './ts-rest.ts'
import { gatherFrames } from './connection/gather-frames.ts'
import { type SocketRoute, upgradeOf } from './connection/upgrades.ts'
import { toValidationError } from './errors/validation-error.ts'

export type { WebSocket } from 'ws'

/** Takes an accepted WebSocket. It must close it in the end. */
export type SocketSession = (socket: WebSocket) => void

/** A WebSocket whose query has a schema. */
export interface QueriedSocket<Query> extends SocketRoute {
  readonly query: z.ZodType<Query>
}

/**
 * Mounts a WebSocket. `open` prepares a session; what it throws is answered as HTTP. The session begins once the upgrade is
 * accepted.
 *
 * @param maxPayload - bytes of a message beyond which the connection is closed with 1009
 */
export const handleSocket =
  <Query>(
    route: QueriedSocket<Query>,
    options: {
      maxPayload: number
      limiter: Limiter
      open: (opening: {
        query: Query
        request: FastifyRequest
        reply: FastifyReply
      }) => Promise<SocketSession>
    },
  ): Mount =>
  async (app) => {
    const { upgrade, protocol, query } = route
    const { metadata, path } = upgrade
    const server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: options.maxPayload,
      handleProtocols: (offered) => (offered.has(protocol) ? protocol : false),
    })
    app.route({
      method: 'GET',
      url: path,
      exposeHeadRoute: false,
      config: { tsRestRoute: { metadata }, socket: route },
      async handler(request, reply) {
        const parsed = readInput(query, request.query)
        if (typeof metadata.limit === 'object' && metadata.limit !== null) {
          const named: unknown = parsed.success ? parsed.data : request.query
          await limitByModel({
            request,
            reply,
            named,
            limits: metadata.limit.by_model,
            limiter: options.limiter,
          })
        }
        if (!parsed.success)
          throw toValidationError({ path: [], headers: [], query: parsed.error.issues, body: [] })
        const refusal = refuseModel(request.principal, parsed.data)
        if (refusal !== null) throw refusal
        const session = await options.open({ query: parsed.data, request, reply })
        const socket = accept(server, request, reply)
        if (socket === null) return reply.hijack()
        // Measured and traced as an answer, although the response never ends.
        reply.raw.statusCode = 101
        reply.hijack()
        session(socket)
        return reply
      },
    })
  }

/** Accepts an upgrade; null if the caller has hung up. Throws if the request is not one that the library accepts. */
function accept(server: WebSocketServer, request: FastifyRequest, reply: FastifyReply): WebSocket | null {
  const upgrade = upgradeOf(request)
  if (upgrade === undefined) throw new Error('A WebSocket was reached without an upgrade')
  const accepted: WebSocket[] = []
  let refusal: Error | undefined
  const refuse = (error: Error) => void (refusal = error)
  const addHeaders = (lines: string[]) => {
    for (const [name, value] of Object.entries(reply.getHeaders())) lines.push(`${name}: ${String(value)}`)
  }
  // With a listener, the library leaves the refusal to it. All callbacks are called synchronously.
  server.once('wsClientError', refuse)
  server.once('headers', addHeaders)
  server.handleUpgrade(request.raw, upgrade.socket, upgrade.head, (socket) => accepted.push(socket))
  server.off('wsClientError', refuse)
  server.off('headers', addHeaders)
  if (refusal !== undefined)
    throw new ApiError('invalid_request', 'The request is not a valid WebSocket upgrade', { cause: refusal })
  gatherFrames(upgrade.socket)
  return accepted[0] ?? null
}
