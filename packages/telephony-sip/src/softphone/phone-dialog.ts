import { randomBytes } from 'node:crypto'
import { buildRequest, buildResponse } from '../message/build.ts'
import { type Headers, headerOf, headersOf } from '../message/message.ts'
import type { SipRequest, SipResponse } from '../message/message.ts'
import { parseNameAddr } from '../message/name-addr.ts'
import type { NameAddr } from '../message/name-addr.ts'
import { withParameter } from '../message/parameters.ts'
import type { Peer } from '../transport/flow.ts'

const SOFTPHONE: Headers = [['server', 'Vaani softphone (simulator)']]

/** The called side of one dialog (RFC 3261, 12.1.1). Its peer sends from one address, to which its own requests go. */
export class PhoneDialog {
  readonly callId: string
  readonly peer: Peer
  readonly #invite: SipRequest
  readonly #contact: NameAddr
  readonly #tag = randomBytes(8).toString('hex')
  #sequence = 0

  constructor(options: { readonly invite: SipRequest; readonly peer: Peer; readonly contact: NameAddr }) {
    this.#invite = options.invite
    this.peer = options.peer
    this.#contact = options.contact
    this.callId = headerOf(options.invite, 'call-id') ?? ''
  }

  /** Makes a response to a request of this dialog. */
  respond(request: SipRequest, status: number, body?: { readonly sdp: string }): SipResponse {
    const type: Headers = body ? [['content-type', 'application/sdp']] : []
    const contact: Headers = status < 300 ? [['contact', `<${this.#contact.uri}>`]] : []
    return buildResponse(request, {
      status,
      toTag: this.#tag,
      headers: [...contact, ...type, ...SOFTPHONE],
      ...(body && { body: new TextEncoder().encode(body.sdp) }),
    })
  }

  /** Makes a request within this dialog. */
  request(method: string, headers: Headers = []): SipRequest {
    const invite = this.#invite
    const remote = parseNameAddr(headerOf(invite, 'from') ?? '')
    const local = parseNameAddr(headerOf(invite, 'to') ?? '')
    const target = parseNameAddr(headerOf(invite, 'contact') ?? headerOf(invite, 'from') ?? '')
    this.#sequence += 1
    return buildRequest({
      method,
      uri: target.uri,
      from: { ...local, parameters: withParameter(local.parameters, 'tag', this.#tag) },
      to: remote,
      callId: this.callId,
      sequence: this.#sequence,
      route: headersOf(invite, 'record-route'),
      headers: [...headers, ...SOFTPHONE],
    })
  }
}
