import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'

const ofPages = new WeakSet<IncomingMessage>()

/** Takes the prefix off the target of a request that a page of the service made, and remembers this of the request. */
export function takePrefix(message: IncomingMessage, prefix: string | undefined): string {
  const target = message.url ?? ''
  if (prefix === undefined || !target.startsWith(`${prefix}/`)) return target
  ofPages.add(message)
  return target.slice(prefix.length)
}

/** Whether a page of the service made the request, so that it has a session and no key. */
export const isOfPage = ({ raw }: Pick<FastifyRequest, 'raw'>): boolean => ofPages.has(raw)
