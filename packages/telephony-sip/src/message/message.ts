/** Header fields in order. Names are lower case and never compact: `via`, `call-id`. One entry per value of a list header. */
export type Headers = readonly (readonly [name: string, value: string])[]

/** A request (RFC 3261, section 7.1). */
export interface SipRequest {
  readonly kind: 'request'
  /** Case-sensitive token: `INVITE`, `ACK` … */
  readonly method: string
  /** Request-URI as it stands on the line. */
  readonly uri: string
  readonly headers: Headers
  readonly body: Uint8Array
}

/** A response (RFC 3261, section 7.2). */
export interface SipResponse {
  readonly kind: 'response'
  /** 100 to 699. */
  readonly status: number
  readonly reason: string
  readonly headers: Headers
  readonly body: Uint8Array
}

export type SipMessage = SipRequest | SipResponse

/** Returns the first value of a header. @param name lower case */
export const headerOf = ({ headers }: { readonly headers: Headers }, name: string): string | undefined =>
  headers.find(([key]) => key === name)?.[1]

/** Returns all values of a header, in order. @param name lower case */
export const headersOf = ({ headers }: { readonly headers: Headers }, name: string): readonly string[] =>
  headers.filter(([key]) => key === name).map(([, value]) => value)
