import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** The content of a body that is too large to be held in memory, and was read as it arrived. */
export interface StreamedContent {
  readonly fields: Readonly<Record<string, string | number | boolean | null>>
  /** By name, each with a keyed digest of its bytes. */
  readonly files: ReadonlyMap<string, { readonly fingerprint: Buffer }>
}

/** A request whose body has arrived. Disposing it removes everything that was received. */
export interface ReceivedRequest<Answer> extends StreamedContent, AsyncDisposable {
  /** Carries out the request. Not called for a repeated request, which gets the first answer. */
  act(): Promise<Answer>
}

/**
 * Reads the body of a request, and does nothing else. The rest is up to `act`, because the content is first compared with
 * that of an earlier request with the same Idempotency-Key.
 */
export type StreamedRoute<Answer> = (options: {
  request: FastifyRequest
  reply: FastifyReply
}) => Promise<ReceivedRequest<Answer>>

/** Covers every field and every file, whatever their order. */
export function digestOfContent({ fields, files }: StreamedContent): Buffer {
  const byName = <Value>([a]: readonly [string, Value], [b]: readonly [string, Value]) => (a < b ? -1 : 1)
  const digests = Array.from(files, ([name, { fingerprint }]) => [name, fingerprint.toString('hex')] as const)
  const text = JSON.stringify([Object.entries(fields).toSorted(byName), digests.toSorted(byName)])
  return createHash('sha256').update(text).digest()
}
