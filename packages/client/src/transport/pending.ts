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
}

export function pending<Data>(answer: Promise<Answer<Data>>): Pending<Data> {
  const data = answer.then((answer) => answer.data)
  return Object.assign(data, {
    withResponse() {
      // Who takes the answer is told of its failure there.
      data.catch(() => undefined)
      return answer
    },
  })
}
