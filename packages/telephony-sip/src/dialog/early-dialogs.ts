import { headerOf, headersOf, type SipRequest, type SipResponse } from '../message/message.ts'
import { tagOf } from '../message/name-addr.ts'
import { readRSeq } from '../message/numeric-headers.ts'
import type { AgreedAudio } from '../sdp/description.ts'
import type { Dialog } from './dialog.ts'

/** More forks of one call are not followed before they answer. */
const MAX_EARLY_DIALOGS = 16

/** A dialog that a provisional response has made. */
export interface EarlyDialog {
  readonly dialog: Dialog
  /** RSeq of the last reliable provisional response (RFC 3262). */
  rseq: number | undefined
  /** What the far end said of its media so far. */
  agreed: AgreedAudio | undefined
  /** Whether a reliable response has answered our offer. Only then may another offer follow (RFC 3261, 13.2.1; RFC 3262, section 5). */
  isAnswered: boolean
}

/** The early dialogs of one INVITE, one for each fork. */
export class EarlyDialogs {
  readonly #known = new Map<string, EarlyDialog>()
  readonly #makeDialog: (response: SipResponse) => Dialog

  constructor(makeDialog: (response: SipResponse) => Dialog) {
    this.#makeDialog = makeDialog
  }

  /** Returns the dialog of a provisional response, and makes it if it is new. Undefined if the response makes none. */
  enter(response: SipResponse): EarlyDialog | undefined {
    const tag = tagOf(headerOf(response, 'to') ?? '')
    if (tag === undefined) return undefined
    const known = this.#known.get(tag)
    if (known || this.#known.size >= MAX_EARLY_DIALOGS) return known
    const early = {
      dialog: this.#makeDialog(response),
      rseq: undefined,
      agreed: undefined,
      isAnswered: false,
    }
    this.#known.set(tag, early)
    return early
  }

  /** Returns the dialog that a 2xx confirms, if it was early. */
  confirm(response: SipResponse): EarlyDialog | undefined {
    const early = this.#known.get(tagOf(headerOf(response, 'to') ?? '') ?? '')
    early?.dialog.confirm(response)
    return early
  }

  /** Returns the dialog of a request. */
  owning(request: SipRequest): EarlyDialog | undefined {
    return [...this.#known.values()].find(({ dialog }) => dialog.owns(request))
  }
}

/** Returns the RSeq of a reliable provisional response; undefined for another (RFC 3262, section 4). */
export const reliableSequenceOf = (response: SipResponse): number | undefined =>
  headersOf(response, 'require').some((value) => value.toLowerCase() === '100rel')
    ? readRSeq(headerOf(response, 'rseq') ?? '')
    : undefined
