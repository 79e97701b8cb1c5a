import { Readable } from 'node:stream'
import { type BatchEndpoint, LIMITS, LINES_TYPES, sizeText } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { currentTraceparent } from '@vaani/service-kit/telemetry/active-span'
import { makeDataKey } from '@vaani/service-kit/vault/data-key'
import type { FastifyRequest } from 'fastify'
import type { BatchContext } from '../context.ts'
import { SCOPES } from '../rules/scopes.ts'
import { readJson } from './read-json.ts'
import { readInTurn } from './read-in-turn.ts'
import { readLines } from './read-lines.ts'
import { createBatchSink, type Reading } from './sink.ts'

/** An uploaded batch that nobody sees yet. Disposing it deletes it unless it was finished. */
export interface ReceivedBatch extends AsyncDisposable {
  batchId: string
  options: Reading
  total: number
  /** Keyed digest of the body. */
  fingerprint: Buffer
}

/** Checks and stores the requests of a batch as they arrive. @throws ApiError naming up to 20 faults */
export async function receiveBatch(context: BatchContext, request: FastifyRequest): Promise<ReceivedBatch> {
  const { store, vault } = context
  const principal = principalOf(request)
  const { accountId, livemode, keyId, scopes } = principal
  const { body } = request
  if (!(body instanceof Readable)) throw new ApiError('invalid_request', 'The body is empty')
  const batchId = context.makeId('batch')
  const { key, sealed } = makeDataKey(vault, batchId)
  const now = new Date(context.clock.nowMs())
  await using held = new AsyncDisposableStack()
  let isBegun = false
  held.defer(async () => {
    // A failure must not stand in for the reason of the refusal. The sweep deletes what is left.
    if (isBegun)
      await store
        .giveUp(batchId)
        .catch((error: unknown) => context.log.warn({ error, batch_id: batchId }, 'A batch was not given up'))
  })
  const begin = async (endpoint: BatchEndpoint) => {
    isBegun = true
    await store.begin({
      batch_id: batchId,
      account_id: accountId,
      livemode,
      key_id: keyId,
      endpoint,
      status: 'queued',
      failure_reason: null,
      callback_url: null,
      data_key: sealed,
      total: 0,
      created_at: now,
      received_at: null,
      expires_at: now,
      completed_at: null,
      traceparent: currentTraceparent(),
    })
  }
  let endpoint: BatchEndpoint | undefined
  const sink = createBatchSink({
    batchId,
    key,
    principal,
    mayUse(asked) {
      if (!scopes.has(SCOPES[asked]))
        throw new ApiError('forbidden', `endpoint: the key lacks the scope ${SCOPES[asked]}`, {
          param: 'endpoint',
        })
      endpoint = asked
    },
    async store(requests) {
      if (!isBegun && endpoint !== undefined) await begin(endpoint)
      await store.addRequests(batchId, requests)
    },
  })
  const fingerprint = vault.startFingerprint(accountId)
  // Stopping early must not destroy the request, because the connection still reads the rest.
  const chunks = body.iterator({ destroyOnReturn: false })
  const inTurn = readInTurn<Buffer>(chunks, { turns: context.uploads, accountId })
  const source = measured(inTurn, (chunk) => void fingerprint.update(chunk))
  const [type = ''] = request.headers['content-type']?.split(';', 1) ?? []
  const isLines = LINES_TYPES.some((name) => name === type.trim().toLowerCase())
  const options = await (isLines ? readLines : readJson)(source, sink)
  const total = await sink.end()
  const kept = held.move()
  return {
    batchId,
    options,
    total,
    fingerprint: fingerprint.digest(),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

async function* measured(body: AsyncIterable<Buffer>, take: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of body) {
    if (!Buffer.isBuffer(chunk)) throw new Error('A body must arrive as bytes')
    bytes += chunk.length
    if (bytes > LIMITS.batchBodyBytes)
      throw new ApiError('payload_too_large', `The body is over ${sizeText(LIMITS.batchBodyBytes)}`)
    take(chunk)
    yield chunk
  }
}
