import type { Headers, SipRequest } from '../message/message.ts'
import type { AgreedAudio } from '../sdp/description.ts'
import { SdpError } from '../sdp/sdp-error.ts'
import { ALLOWED } from './allowed.ts'
import type { Line } from './line.ts'
import type { Negotiation } from './negotiation.ts'

/** The 2xx to an INVITE or UPDATE of the far end. */
export interface Acceptance {
  readonly headers: Headers
  readonly body?: Uint8Array
  /** What was agreed on. Absent if the request has no offer. */
  readonly agreed?: AgreedAudio
}

/**
 * Answers the offer of an INVITE or UPDATE. To an INVITE without one, the 2xx makes an offer (RFC 3261, section 14.2); an UPDATE
 * without one only refreshes (RFC 3311, section 5.2). Returns undefined if the offer cannot be accepted: nothing has changed then.
 */
export function takeOffer(
  request: SipRequest,
  { line, negotiation }: { readonly line: Line; readonly negotiation: Negotiation },
): Acceptance | undefined {
  const headers: Headers = [['contact', `<${line.contact.uri}>`], ...ALLOWED]
  if (request.body.length === 0) {
    if (request.method === 'UPDATE') return { headers }
    const offer = negotiation.offer()
    return { headers: [...headers, ...offer.headers], body: offer.body }
  }
  try {
    const { answer, agreed } = negotiation.answer(request.body)
    return { headers: [...headers, ...answer.headers], body: answer.body, agreed }
  } catch (error) {
    if (!(error instanceof SdpError)) throw error
    return undefined
  }
}
