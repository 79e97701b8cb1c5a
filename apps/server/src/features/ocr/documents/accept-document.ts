import type { OcrDocument } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { currentTraceparent } from '@vaani/service-kit/telemetry/active-span'
import { makeDataKey } from '@vaani/service-kit/vault/data-key'
import type { FastifyRequest } from 'fastify'
import type { OcrContext } from '../context.ts'
import type { ReceivedDocument } from '../receive-document.ts'
import { documentLimit } from './limit.ts'
import { toDocument } from './view.ts'

type Answer = { status: 202; body: OcrDocument }

const HOUR_MS = 3_600_000

/**
 * Stores a document whose pages are to be read in the background.
 *
 * @throws ApiError `rate_limit_exceeded` if too many documents of the account are unfinished
 */
export async function acceptDocument(
  context: OcrContext,
  request: FastifyRequest,
  { document, pages }: { document: ReceivedDocument; pages: number },
): Promise<Answer> {
  const { database, store, uploads, vault, idempotency, clock, events, worker } = context
  const principal = principalOf(request)
  await documentLimit.requireRoom(database, principal)
  const documentId = context.makeId('document')
  const { key, sealed } = makeDataKey(vault, documentId)
  await using refused = new AsyncDisposableStack()
  refused.defer(() => uploads.remove(documentId))
  await uploads.keep(documentId, { file: document.file, bytes: document.bytes, key })
  const now = clock.nowMs()
  const claim = request.idempotency
  const row = await store.create(
    {
      document_id: documentId,
      account_id: principal.accountId,
      livemode: principal.livemode,
      status: 'queued',
      failure_reason: null,
      ...document.options,
      data_key: sealed,
      total: pages,
      created_at: new Date(now),
      expires_at: new Date(now + context.retentionHours * HOUR_MS),
      completed_at: null,
      traceparent: currentTraceparent(),
    },
    async (client, written) => {
      await documentLimit.requireWithinLimit({ database, client, principal })
      // The route's other answers are private and never stored, but this one says nothing of the document.
      if (claim !== null)
        await idempotency.keep(claim, { status: 202, body: JSON.stringify(toDocument(written)) }, client)
    },
  )
  refused.move()
  events.record('document_accepted', { document_id: documentId, account_id: principal.accountId })
  worker?.wake()
  return { status: 202, body: toDocument(row) }
}
