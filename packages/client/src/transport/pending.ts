import type { Received } from './attempt.ts'

/** Data of a response with its metadata. */
export interface Answer<Data> {
  readonly data: Data
  readonly status: number
  readonly headers: Headers
  /** Quote it to support. */
  readonly requestId: string | null
  /** Whether the service replayed the response to an earlier request with the same idempotency key. */
  readonly replayed: boolean
  /** Number of times the request was sent. */
  readonly attempts: number
  /** Key that the request was sent with; null unless the method is POST. */
  readonly idempotencyKey: string | null
}

/** Promise of the data that also gives access to the response. */
export interface Pending<Data> extends Promise<Data> {
  /**
   * Resolves with the data, the status, the headers, the request id, and whether the response is a replay.
   *
   * @example
   * const { data, replayed, requestId } = await vaani.calls.place(call).withResponse()
   */
  withResponse(): Promise<Answer<Data>>
  /**
   * Resolves with the successful response of `fetch`, its body unread and unchecked, for example to forward it. Call it right after
   * the method. Refusals are retried and thrown as usual; while you read the body, only your signal ends it.
   *
   * @throws TypeError if the body has already been read
   * @example
   * return vaani.calls.recording(callId).asResponse()
   */
  asResponse(): Promise<Response>
}

/** An attempt with its response and the data read from it. */
export type Answered<Data> = Received & { readonly data: Data }

/** @param leaveUnread makes the request resolve without reading the body */
export function pending<Data>(answered: Promise<Answered<Data>>, leaveUnread: () => void): Pending<Data> {
  const data = answered.then(({ data }) => data)
  const settled = async (): Promise<Answered<Data>> => {
    // Callers of `withResponse()` and `asResponse()` see the rejection there; silence the duplicate on `data`.
    data.catch(() => undefined)
    return answered
  }
  return Object.assign(data, {
    async withResponse() {
      const { data, response, context } = await settled()
      const { status, headers } = response
      const { attempts, requestId = null, idempotencyKey = null } = context
      const replayed = headers.get('idempotent-replayed') === 'true'
      return { data, status, headers, requestId, replayed, attempts, idempotencyKey }
    },
    async asResponse() {
      leaveUnread()
      const { response } = await settled()
      if (response.bodyUsed) throw new TypeError('body already read')
      return response
    },
  })
}
