import { refuseModel } from '@vaani/service-kit/http/authorize'
import type { Principal } from '@vaani/service-kit/http/principal'
import { type BatchEndpoint, type batchOptionsSchema, LIMITS } from '@vaani/contracts'
import type { Seal } from '@vaani/service-kit/vault/sealed-bytes'
import { sealBytes } from '@vaani/service-kit/vault/sealed-bytes'
import type { z } from 'zod'
import { checkRequest } from '../rules/check-request.ts'
import { requestPlace } from '../rules/places.ts'
import { packRequest } from '../rules/result-line.ts'
import { parseJson } from './parse-json.ts'
import { type Issues, refusalOf } from './refusal.ts'

/** The options of a batch whose requests were all passed on. */
export type Reading = z.output<typeof batchOptionsSchema>

/** Receives the requests of a batch. */
export interface BatchSink {
  /** Called before the first request. @throws ApiError if the caller may not use the endpoint */
  begin(endpoint: BatchEndpoint): void
  /**
   * Checks a request and stores it together with others. Waits for the store, which applies back-pressure.
   *
   * @param path of the request, in errors
   * @throws ApiError once it has found as many faulty requests as an error lists
   */
  add(text: Buffer, path: readonly (string | number)[]): Promise<void>
  /** Stores the rest. @returns the number of requests @throws ApiError if any was faulty, or there are none */
  end(): Promise<number>
}

const MAX_ISSUES = 20
const STORED_AT_ONCE = 500
const STORED_BYTES = 1_048_576

export function createBatchSink({
  batchId,
  key,
  principal,
  mayUse,
  store,
}: {
  batchId: string
  key: Seal['key']
  principal: Principal
  /** @throws ApiError */
  mayUse: (endpoint: BatchEndpoint) => void
  store: (requests: readonly { position: number; request: Buffer }[]) => Promise<void>
}): BatchSink {
  const ids = new Set<string>()
  const issues: Issues[number][] = []
  let endpoint: BatchEndpoint | undefined
  let count = 0
  let unstored: { position: number; request: Buffer }[] = []
  let unstoredBytes = 0

  async function storeAll(): Promise<void> {
    // What is refused in the end need not be stored.
    if (issues.length === 0 && unstored.length > 0) await store(unstored)
    unstored = []
    unstoredBytes = 0
  }

  function check(text: Buffer, path: readonly (string | number)[]): Buffer | null {
    if (endpoint === undefined) throw new Error('A request came before its endpoint')
    const { value, issue } = parseJson(text)
    if (issue !== undefined) return complain([{ path, message: issue }])
    const { request, issues: found } = checkRequest(endpoint, value, text.length)
    if (found !== undefined) return complain(found.map((one) => ({ ...one, path: [...path, ...one.path] })))
    if (ids.has(request.custom_id))
      return complain([{ path: [...path, 'custom_id'], message: 'must be unique in the batch' }])
    if (refuseModel(principal, request.body) !== null)
      return complain([
        { path: [...path, 'body', 'model'], message: 'is not part of the license of this server' },
      ])
    ids.add(request.custom_id)
    return packRequest(request)
  }

  function complain(found: Issues): null {
    issues.push(...found)
    if (issues.length >= MAX_ISSUES) throw refusalOf(issues)
    return null
  }

  return {
    begin(of) {
      mayUse(of)
      endpoint = of
    },
    async add(text, path) {
      if (count === LIMITS.batchRequestsMax)
        throw refusalOf([
          ...issues,
          { path: ['requests'], message: `must be at most ${LIMITS.batchRequestsMax}` },
        ])
      const position = count++
      const packed = check(text, path)
      if (packed === null) return
      const request = sealBytes(packed, { key, place: requestPlace(batchId, position) })
      unstored.push({ position, request })
      unstoredBytes += request.length
      if (unstored.length >= STORED_AT_ONCE || unstoredBytes >= STORED_BYTES) await storeAll()
    },
    async end() {
      if (issues.length > 0) throw refusalOf(issues)
      if (count === 0) throw refusalOf([{ path: ['requests'], message: 'must have at least one' }])
      await storeAll()
      return count
    },
  }
}
