import { parseCSeq, serializeCSeq } from './cseq.ts'
import { headerOf, headersOf, type Headers, type SipRequest, type SipResponse } from './message.ts'
import { serializeNameAddr, tagOf, type NameAddr } from './name-addr.ts'
import { reasonPhraseOf } from './reason-phrases.ts'
import { SipParseError } from './sip-parse-error.ts'

const NO_BODY = new Uint8Array()

const copy = (source: { readonly headers: Headers }, ...names: readonly string[]): Headers =>
  source.headers.filter(([name]) => names.includes(name))

const copyFirst = (source: { readonly headers: Headers }, name: string): Headers => {
  const value = headerOf(source, name)
  return value === undefined ? [] : [[name, value]]
}

/** Leaves a malformed To, which a refused request may have, as it is. */
const hasTag = (to: string): boolean => {
  try {
    return tagOf(to) !== undefined
  } catch (error) {
    if (error instanceof SipParseError) return true
    throw error
  }
}

export interface ResponseParts {
  readonly status: number
  /** Default: the usual phrase of the status. */
  readonly reason?: string
  /** Added to To unless it has one. Mandatory except for 100 (8.2.6.2). */
  readonly toTag?: string
  /** Further headers, such as Contact and Content-Type. */
  readonly headers?: Headers
  readonly body?: Uint8Array
}

/**
 * Makes a response to a request (8.2.6.2), or to one that could not be parsed, from its `Refusal`.
 * Copies Via, From, To, Call-ID and CSeq; into a response that forms a dialog, Record-Route (12.1.1); into a 100, Timestamp.
 */
export const buildResponse = (
  request: { readonly headers: Headers },
  { status, reason = reasonPhraseOf(status), toTag, headers = [], body = NO_BODY }: ResponseParts,
): SipResponse => {
  const to = headerOf(request, 'to') ?? ''
  const taggedTo = toTag === undefined || hasTag(to) ? to : `${to};tag=${toTag}`
  return {
    kind: 'response',
    status,
    reason,
    headers: [
      ...copy(request, 'via', ...(status > 100 && status < 300 ? ['record-route'] : [])),
      ...copyFirst(request, 'from'),
      ['to', taggedTo],
      ...copyFirst(request, 'call-id'),
      ...copyFirst(request, 'cseq'),
      ...(status === 100 ? copyFirst(request, 'timestamp') : []),
      ...headers,
    ],
    body,
  }
}

/** Hops that a request may take (8.1.1.6). */
const MAX_FORWARDS = 70

export interface RequestParts {
  readonly method: string
  /** Request-URI: the callee, or the remote target of the dialog. */
  readonly uri: string
  readonly from: NameAddr
  /** Without a tag outside a dialog. */
  readonly to: NameAddr
  readonly callId: string
  readonly sequence: number
  /** Route set: the values of Record-Route in the order of travel. All must be loose routers, as every proxy of RFC 3261 is. */
  readonly route?: readonly string[]
  /** Mandatory in a request that forms a dialog or refreshes its target. */
  readonly contact?: NameAddr
  readonly headers?: Headers
  readonly body?: Uint8Array
}

/** Makes a request, in or outside a dialog, without a Via: the transaction layer adds it. */
export const buildRequest = ({
  method,
  uri,
  from,
  to,
  callId,
  sequence,
  route = [],
  contact,
  headers = [],
  body = NO_BODY,
}: RequestParts): SipRequest => ({
  kind: 'request',
  method,
  uri,
  headers: [
    ...route.map((value) => ['route', value] as const),
    ['max-forwards', String(MAX_FORWARDS)],
    ['from', serializeNameAddr(from)],
    ['to', serializeNameAddr(to)],
    ['call-id', callId],
    ['cseq', serializeCSeq({ sequence, method })],
    ...(contact === undefined ? [] : [['contact', serializeNameAddr(contact)] as const]),
    ...headers,
  ],
  body,
})

const sequenceOf = (request: SipRequest): number => parseCSeq(headerOf(request, 'cseq') ?? '').sequence

const buildAlong = (invite: SipRequest, method: 'ACK' | 'CANCEL', to: Headers): SipRequest => ({
  kind: 'request',
  method,
  uri: invite.uri,
  headers: [
    // The topmost Via alone, with the branch of the INVITE: both travel only to the next hop.
    ...copyFirst(invite, 'via'),
    ...copy(invite, 'route'),
    ['max-forwards', String(MAX_FORWARDS)],
    ...copyFirst(invite, 'from'),
    ...to,
    ...copyFirst(invite, 'call-id'),
    ['cseq', serializeCSeq({ sequence: sequenceOf(invite), method })],
  ],
  body: NO_BODY,
})

/** Makes the ACK of a final response other than 2xx (17.1.1.3). @param invite as it was sent, with its Via */
export const buildAck = (invite: SipRequest, response: SipResponse): SipRequest =>
  buildAlong(
    invite,
    'ACK',
    headersOf(response, 'to')
      .slice(0, 1)
      .map((to) => ['to', to]),
  )

/** Makes the CANCEL of an INVITE (9.1). @param invite as it was sent, with its Via */
export const buildCancel = (invite: SipRequest): SipRequest =>
  buildAlong(invite, 'CANCEL', copyFirst(invite, 'to'))
