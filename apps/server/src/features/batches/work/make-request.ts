import type { BatchEndpoint } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { InnerAnswer, InnerRequests } from '@vaani/service-kit/http/inner/inner-requests'
import type { Principal } from '@vaani/service-kit/http/principal'
import { openDataKey } from '@vaani/service-kit/vault/data-key'
import { openBytes } from '@vaani/service-kit/vault/sealed-bytes'
import type { Vault } from '@vaani/service-kit/vault/vault'
import type { Hold } from '@vaani/service-kit/work/run-rows'
import { LRUCache } from 'lru-cache'
import type { ClaimedRequest } from '../claim-requests.ts'
import type { BatchMetrics } from '../metrics.ts'
import { requestPlace } from '../rules/places.ts'
import { resultLine, unpackRequest } from '../rules/result-line.ts'
import { MAX_ATTEMPTS, retryDelaySeconds } from '../rules/retry.ts'
import { SCOPES } from '../rules/scopes.ts'
import type { EndedRequest } from '../end-store.ts'
import type { BatchStore } from '../store.ts'
import type { ResultStore } from './result-store.ts'

const MAX_KEYS = 1000

export interface RequestMakerOptions {
  store: Pick<BatchStore, 'postpone'>
  results: Pick<ResultStore, 'keep'>
  /** Limits an account to what it may do now. @throws ApiError if that is nothing */
  limit: (principal: Principal) => Principal
  /** Resolves when the routes are mounted. */
  inner: Promise<InnerRequests>
  vault: Vault
  metrics: BatchMetrics
}

/** Makes a request of a batch. @returns its end; null if it is to be made again */
export type MakeRequest = (
  request: ClaimedRequest,
  options: Hold & {
    endpoint: BatchEndpoint
    /** Whether this process takes no more work, so that its errors are no result. */
    isStopping: () => boolean
  },
) => Promise<EndedRequest | null>

export function createRequestMaker(options: RequestMakerOptions): MakeRequest {
  const { store, results, vault, metrics } = options
  const keys = new LRUCache<string, Buffer>({ max: MAX_KEYS })

  function keyOf({ batch_id, data_key }: ClaimedRequest): Buffer {
    const known = keys.get(batch_id)
    if (known) return known
    const key = openDataKey(vault, batch_id, data_key)
    keys.set(batch_id, key)
    return key
  }

  async function answerOf(
    request: ClaimedRequest,
    { endpoint, json, cut }: { endpoint: BatchEndpoint; json: Buffer; cut: AbortSignal },
  ): Promise<InnerAnswer> {
    const inner = await options.inner
    let principal: Principal
    try {
      principal = options.limit(principalOf(request, endpoint))
    } catch (error) {
      if (error instanceof ApiError) return refused(error, request.batch_id)
      throw error
    }
    return inner.post(principal, { path: endpoint, json, signal: cut })
  }

  return async (request, { lease: { workerId }, cut, endpoint, isStopping }) => {
    const { batch_id, position, attempts } = request
    const key = keyOf(request)
    const packed = openBytes(request.request, { key, place: requestPlace(batch_id, position) })
    const { customId, body } = unpackRequest(packed)
    const answer =
      attempts > MAX_ATTEMPTS ? givenUp(batch_id) : await answerOf(request, { endpoint, json: body, cut })
    if (isStopping() && answer.status >= 500) return null
    const delay = retryDelaySeconds(attempts, answer)
    if (delay !== null) {
      metrics.retried.add({})
      await store.postpone(request, workerId, delay)
      return null
    }
    const line = resultLine(customId, answer)
    const result = await results.keep(batch_id, position, { line, key })
    return { batch_id, position, workerId, succeeded: answer.status < 400, result }
  }
}

/** Result of a request that this many processes did not survive, or could not finish. */
const givenUp = (batchId: string): InnerAnswer =>
  refused(new ApiError('internal_error', `The request was given up after ${MAX_ATTEMPTS} attempts`), batchId)

const refused = (error: ApiError, batchId: string): InnerAnswer => ({
  status: error.status,
  contentType: 'application/json',
  body: Buffer.from(JSON.stringify(error.toBody(batchId))),
  retryAfterSeconds: null,
})

const principalOf = (
  { account_id, livemode, key_id, tier, rate_overrides }: ClaimedRequest,
  endpoint: BatchEndpoint,
): Principal => ({
  accountId: account_id,
  livemode,
  keyId: key_id,
  scopes: new Set([SCOPES[endpoint]]),
  tier,
  operator: false,
  rateOverrides: rate_overrides,
})
