import type { Received } from './attempt.ts'

/** An answer with what came beside its data. */
export interface Answer<Data> {
  readonly data: Data
  readonly status: number
  readonly headers: Headers
  /** For support. */
  readonly requestId: string | null
  /** Whether this is the first answer given again, for a request with the same idempotency key. */
  readonly replayed: boolean
  /** How many times the request was sent. */
  readonly attempts: number
  /** The key that the request was sent with; null for other methods than POST. */
  readonly idempotencyKey: string | null
}

/** A promise of the data, which also gives what came beside it. */
export interface Pending<Data> extends Promise<Data> {
  /**
   * The data with status, headers, request id, and whether it is a replay.
   *
   * @example
   * const { data, replayed, requestId } = await vaani.calls.place(call).withResponse()
   */
  withResponse(): Promise<Answer<Data>>
  /**
   * The success as `fetch` gives it, its body unread and unchecked, to pass it on. Call it at once. Refusals are thrown and tried
   * again as ever; while you read, only the caller's signal ends the body.
   *
   * @throws TypeError if the body was read before
   * @example
   * return vaani.calls.recording(callId).asResponse()
   */
  asResponse(): Promise<Response>
}

/** A try with its answer and what was made of that. */
export type Answered<Data> = Received & { readonly data: Data }

/** @param leaveUnread makes the answer come without its data */
export function pending<Data>(answered: Promise<Answered<Data>>, leaveUnread: () => void): Pending<Data> {
  const data = answered.then(({ data }) => data)
  const settled = async (): Promise<Answered<Data>> => {
    // Callers of the other two see the rejection there.
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
      if (response.bodyUsed) throw new TypeError('the answer was read before')
      return response
    },
  })
}
