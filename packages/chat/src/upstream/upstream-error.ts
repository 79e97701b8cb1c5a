/** What a server says about a failure, in the wire format: `{ error: { message, type, param, code } }`. */
export interface UpstreamFault {
  readonly type: string | undefined
  readonly code: string | undefined
  readonly param: string | undefined
  readonly message: string | undefined
}

/**
 * The error of a server, as the cause of a `ChatError`. Logs show its status only: what the server says may quote the request,
 * so it is not enumerable.
 */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError'
  readonly status: number
  readonly #fault: UpstreamFault

  constructor(status: number, fault: UpstreamFault) {
    super(`The server answered ${status}`)
    this.status = status
    this.#fault = fault
  }

  /** What the server says. It may contain parts of the request. */
  get fault(): UpstreamFault {
    return this.#fault
  }
}

const NO_FAULT: UpstreamFault = { type: undefined, code: undefined, param: undefined, message: undefined }

/** Reads the body of an error, or an event of a stream with an `error`. Anything else says nothing. */
export function readFault(value: unknown): UpstreamFault {
  if (!isObject(value)) return NO_FAULT
  const { error } = value
  if (typeof error === 'string') return { ...NO_FAULT, message: error }
  if (!isObject(error)) return NO_FAULT
  const text = (member: string): string | undefined => {
    const found = error[member]
    return typeof found === 'string' ? found : typeof found === 'number' ? String(found) : undefined
  }
  return { type: text('type'), code: text('code'), param: text('param'), message: text('message') }
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
