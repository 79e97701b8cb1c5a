import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** What a body came to that is too large to be held, and so was read as it came. */
export interface StreamedContent {
  readonly fields: Readonly<Record<string, string | number | boolean | null>>
  /** By their names; of each the digest of its bytes, under a key if they may be guessed. */
  readonly files: ReadonlyMap<string, { readonly fingerprint: Buffer }>
}

/** A request whose body has come in. Disposing it lets go of all that was taken in. */
export interface ReceivedRequest<Answer> extends StreamedContent, AsyncDisposable {
  /** Does what the request asks for. Called only if the content is not that of an earlier request, repeated. */
  act(): Promise<Answer>
}

/**
 * Reads the body of a request, and does nothing else: what is asked for waits in `act` until the content has been compared
 * with that of the first request that had the same Idempotency-Key.
 */
export type StreamedRoute<Answer> = (options: {
  request: FastifyRequest
  reply: FastifyReply
}) => Promise<ReceivedRequest<Answer>>

/** What tells one content from another: every field, every file, whatever their order. */
export function digestOfContent({ fields, files }: StreamedContent): Buffer {
  const byName = <Value>([a]: readonly [string, Value], [b]: readonly [string, Value]) => (a < b ? -1 : 1)
  const digests = Array.from(files, ([name, { fingerprint }]) => [name, fingerprint.toString('hex')] as const)
  const text = JSON.stringify([Object.entries(fields).toSorted(byName), digests.toSorted(byName)])
  return createHash('sha256').update(text).digest()
}
