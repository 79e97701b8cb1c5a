import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import inject from 'light-my-request'
import type { Principal } from './principal.ts'
import type { Traffic } from './traffic.ts'

declare module 'fastify' {
  interface FastifyInstance {
    traffic: Traffic
  }
}

/** Callers of requests that this process makes itself. No request from a connection can be among them. */
const callers = new WeakMap<IncomingMessage, Principal>()

/** Returns the account on whose behalf this process makes a request; undefined for a request from a connection. */
export const innerCallerOf = (message: IncomingMessage): Principal | undefined => callers.get(message)

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
      const answer = await inject(
        (request, response) => {
          callers.set(request, principal)
          app.routing(request, response)
        },
        {
          method: 'POST',
          url: path,
          headers: { 'content-type': 'application/json', accept: 'application/json' },
          payload: json,
          signal,
        },
      )
      const retryAfter = Number(answer.headers['retry-after'])
      return {
        status: answer.statusCode,
        contentType: String(answer.headers['content-type'] ?? ''),
        body: answer.rawPayload,
        retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : null,
      }
    },
  }
}
