import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** The content of a body that is too large for memory and was processed as it arrived. */
export interface StreamedContent {
  readonly fields: Readonly<Record<string, string | number | boolean | null>>
  /** Files by name, each with a keyed digest of its bytes. */
  readonly files: ReadonlyMap<string, { readonly fingerprint: Buffer }>
}

/** A request whose body has arrived. Disposing it removes all received data. */
export interface ReceivedRequest<Answer> extends StreamedContent, AsyncDisposable {
  /** Carries out the request. Not called for a repeated request, which gets the stored response. */
  act(): Promise<Answer>
}

/**
 * Reads the body of a request and does nothing else. `act` does the rest, because the content must first be compared with that
 * of an earlier request with the same Idempotency-Key.
 */
export type StreamedRoute<Answer> = (options: {
  request: FastifyRequest
  reply: FastifyReply
}) => Promise<ReceivedRequest<Answer>>

/** Computes a digest of all fields and files, independent of their order. */
export function digestOfContent({ fields, files }: StreamedContent): Buffer {
  const byName = <Value>([a]: readonly [string, Value], [b]: readonly [string, Value]) => (a < b ? -1 : 1)
  const digests = Array.from(files, ([name, { fingerprint }]) => [name, fingerprint.toString('hex')] as const)
  const text = JSON.stringify([Object.entries(fields).toSorted(byName), digests.toSorted(byName)])
  return createHash('sha256').update(text).digest()
}
