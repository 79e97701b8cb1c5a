import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { InnerMessage, InnerResponse } from './inner-exchange.ts'
import type { Principal } from '../principal.ts'
import type { Traffic } from './traffic.ts'

declare module 'fastify' {
  interface FastifyInstance {
    traffic: Traffic
  }
}

/** Returns the account on whose behalf this process makes a request; undefined for a request from a connection. */
export const innerCallerOf = (message: IncomingMessage): Principal | undefined =>
  message instanceof InnerMessage ? message.caller : undefined

export interface InnerAnswer {
  status: number
  contentType: string
  body: Buffer
  /** From `Retry-After`; null without it. */
  retryAfterSeconds: number | null
}

/** Makes requests to the service's own routes, on behalf of an account. */
export interface InnerRequests {
  /**
   * Posts JSON. The request passes every check of the route, except that it needs no key and counts against no limit.
   *
   * @param options `signal` aborts the request like a caller that disconnects
   */
  post(
    principal: Principal,
    options: { path: string; json: Buffer; signal: AbortSignal },
  ): Promise<InnerAnswer>
  /** Whether no caller is being served, nor was within this time, whom the work of a request could delay. */
  isQuiet(pauseMs: number): boolean
}

export function createInnerRequests(app: FastifyInstance): InnerRequests {
  return {
    isQuiet: (pauseMs) => app.traffic.isQuiet(pauseMs),
    async post(principal, { path, json, signal }) {
      signal.throwIfAborted()
      const response = new InnerResponse(new InnerMessage(principal, { path, json }))
      const abort = () => response.destroy()
      signal.addEventListener('abort', abort)
      const closed = new Promise((resolve) => response.once('close', resolve))
      app.routing(response.req, response)
      await closed
      signal.removeEventListener('abort', abort)
      if (!response.writableFinished) throw signal.reason ?? new Error('The request ended without a response')
      const retryAfter = Number(response.getHeader('retry-after'))
      return {
        status: response.statusCode,
        contentType: String(response.getHeader('content-type') ?? ''),
        body: response.written,
        retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : null,
      }
    },
  }
}
