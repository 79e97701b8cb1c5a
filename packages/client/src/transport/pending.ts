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

/** @param leaveUnread makes the answer come without its data */
export function pending<Data>(
  answer: Promise<Answer<Data> & { readonly response: Response }>,
  leaveUnread: () => void,
): Pending<Data> {
  const data = answer.then((answer) => answer.data)
  // Callers of the other two see the rejection there.
  const silence = (): void => void data.catch(() => undefined)
  return Object.assign(data, {
    withResponse() {
      silence()
      return answer
    },
    async asResponse() {
      silence()
      leaveUnread()
      const { response } = await answer
      if (response.bodyUsed) throw new TypeError('asResponse() was called after the answer was read')
      return response
    },
  })
}
