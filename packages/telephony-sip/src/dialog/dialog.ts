import { buildRequest, type RequestParts } from '../message/build.ts'
import { parseCSeq } from '../message/cseq.ts'
import { headerOf, headersOf, type SipRequest, type SipResponse } from '../message/message.ts'
import { type NameAddr, parseNameAddr, serializeNameAddr, tagOf } from '../message/name-addr.ts'
import { parameterOf, withParameter } from '../message/parameters.ts'

/** Counts the requests that we send in a call. One counter serves all its dialogs: each needs only rising numbers (12.2.1.1). */
export interface SequenceCounter {
  next(): number
}

export function createSequenceCounter(after = 0): SequenceCounter {
  let last = after
  return { next: () => (last += 1) }
}

interface DialogState {
  readonly local: NameAddr
  readonly remote: NameAddr
  readonly callId: string
  readonly routes: readonly string[]
  readonly target: string
  readonly contact: NameAddr
  readonly counter: SequenceCounter
  /** Number of the request of the far end that began the dialog, if it was one. */
  readonly remoteSequence?: number
}

/** Number of the request that ends a call for another process: above any that it has sent. Numbers may jump (12.2.2). */
const FAREWELL_SEQUENCE = 1_000_000

interface Farewell {
  readonly local: string
  readonly remote: string
  readonly callId: string
  readonly routes: readonly string[]
  readonly target: string
}

function readFarewell(text: string): Farewell {
  const state: unknown = JSON.parse(text)
  if (!isFarewell(state)) throw new SyntaxError('A farewell must have the state of a dialog')
  return state
}

const isText = (value: unknown): value is string => typeof value === 'string'

const isFarewell = (value: unknown): value is Farewell =>
  typeof value === 'object' &&
  value !== null &&
  'local' in value &&
  isText(value.local) &&
  'remote' in value &&
  isText(value.remote) &&
  'callId' in value &&
  isText(value.callId) &&
  'target' in value &&
  isText(value.target) &&
  'routes' in value &&
  Array.isArray(value.routes) &&
  value.routes.every(isText)

/** Our side of one dialog (RFC 3261, section 12). */
export class Dialog {
  readonly remoteTag: string | undefined
  #routes: readonly string[]
  readonly #local: NameAddr
  readonly #remote: NameAddr
  readonly #callId: string
  readonly #contact: NameAddr
  readonly #counter: SequenceCounter
  #target: string
  #remoteSequence: number

  private constructor(state: DialogState) {
    this.#local = state.local
    this.#remote = state.remote
    this.remoteTag = parameterOf(state.remote, 'tag')
    this.#callId = state.callId
    this.#routes = state.routes
    this.#target = state.target
    this.#contact = state.contact
    this.#counter = state.counter
    this.#remoteSequence = state.remoteSequence ?? -1
  }

  /** Makes the dialog of a call that we place (12.1.2). @param response a provisional response with a tag, or a 2xx */
  static ofCaller(
    invite: SipRequest,
    response: SipResponse,
    { contact, counter }: Pick<DialogState, 'contact' | 'counter'>,
  ): Dialog {
    return new Dialog({
      local: parseNameAddr(headerOf(invite, 'from') ?? ''),
      remote: parseNameAddr(headerOf(response, 'to') ?? ''),
      callId: headerOf(invite, 'call-id') ?? '',
      routes: routesIn(response),
      target: targetIn(response) ?? invite.uri,
      contact,
      counter,
    })
  }

  /** Makes the dialog of a call that we take (12.1.1). @param tag ours */
  static ofCallee(invite: SipRequest, tag: string, contact: NameAddr): Dialog {
    const to = parseNameAddr(headerOf(invite, 'to') ?? '')
    const from = parseNameAddr(headerOf(invite, 'from') ?? '')
    return new Dialog({
      local: { ...to, parameters: withParameter(to.parameters, 'tag', tag) },
      remote: from,
      callId: headerOf(invite, 'call-id') ?? '',
      routes: headersOf(invite, 'record-route'),
      target: targetIn(invite) ?? from.uri,
      contact,
      counter: createSequenceCounter(),
      remoteSequence: parseCSeq(headerOf(invite, 'cseq') ?? '').sequence,
    })
  }

  /** Makes the dialog of a call whose process died. @throws SyntaxError, SipParseError */
  static left(farewell: string, contact: NameAddr): Dialog {
    const { local, remote, callId, routes, target } = readFarewell(farewell)
    return new Dialog({
      local: parseNameAddr(local),
      remote: parseNameAddr(remote),
      callId,
      routes,
      target,
      contact,
      counter: createSequenceCounter(FAREWELL_SEQUENCE),
    })
  }

  /** Returns what {@link Dialog.left} needs in another process. It has the addresses of both sides, and no secret. */
  farewell(): string {
    const state: Farewell = {
      local: serializeNameAddr(this.#local),
      remote: serializeNameAddr(this.#remote),
      callId: this.#callId,
      routes: this.#routes,
      target: this.#target,
    }
    return JSON.stringify(state)
  }

  /** Takes the 2xx that confirms an early dialog: its route set and its target replace those of provisional responses (13.2.2.4). */
  confirm(response: SipResponse): void {
    this.#routes = routesIn(response)
    this.refreshTarget(response)
  }

  /** URI of the next hop: the first of the route set, or else the remote target. */
  get nextHop(): string {
    const [first] = this.#routes
    return first === undefined ? this.#target : parseNameAddr(first).uri
  }

  /** Takes the Contact of a message that refreshes the target: an INVITE or UPDATE, or a 2xx to one (12.2). */
  refreshTarget(message: SipRequest | SipResponse): void {
    this.#target = targetIn(message) ?? this.#target
  }

  /** Returns whether a request of the far end bears the tags of this dialog (12.2.2). */
  owns(request: SipRequest): boolean {
    const isOfRemote = tagOf(headerOf(request, 'from') ?? '') === this.remoteTag
    return isOfRemote && tagOf(headerOf(request, 'to') ?? '') === parameterOf(this.#local, 'tag')
  }

  /** Takes the number of a request from the far end. Returns false if it is out of order (12.2.2). */
  takeSequence(request: SipRequest): boolean {
    const { sequence } = parseCSeq(headerOf(request, 'cseq') ?? '')
    if (sequence <= this.#remoteSequence) return false
    this.#remoteSequence = sequence
    return true
  }

  /** Makes a request. @param parts a sequence only for an ACK, which has that of its INVITE */
  request(
    method: string,
    parts: Partial<Pick<RequestParts, 'sequence' | 'headers' | 'body'>> = {},
  ): SipRequest {
    return buildRequest({
      method,
      uri: this.#target,
      from: this.#local,
      to: this.#remote,
      callId: this.#callId,
      route: this.#routes,
      ...((method === 'INVITE' || method === 'UPDATE') && { contact: this.#contact }),
      ...parts,
      sequence: parts.sequence ?? this.#counter.next(),
    })
  }
}

const targetIn = (message: SipRequest | SipResponse): string | undefined => {
  const contact = headerOf(message, 'contact')
  return contact === undefined || contact === '*' ? undefined : parseNameAddr(contact).uri
}

const routesIn = (response: SipResponse): readonly string[] =>
  headersOf(response, 'record-route').toReversed()
