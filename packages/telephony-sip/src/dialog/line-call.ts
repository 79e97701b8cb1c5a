import type { CallEndedBy, CallOutcome } from '@vaani/telephony'
import type { AgreedAudio } from '../sdp/description.ts'

/** How a call on a line ended. */
export interface LineCallEnd {
  readonly outcome: CallOutcome
  readonly endedBy: CallEndedBy
  /** Final status that the trunk sent; absent if it sent none, and for a local time-out. */
  readonly sipStatus?: number
  /** Q.850 cause of the Reason header (RFC 3326). */
  readonly q850Cause?: number
  /** From Retry-After of a 503: the trunk, not the person, is to be left alone for so long. */
  readonly retryAfterSeconds?: number
}

/** What the caller of a line hears, in order; `onEnded` once and last. */
export interface LineCallListener {
  onRinging(): void
  /** Media was agreed, or changed: early media before the answer, a hold, a new address. */
  onMedia(audio: AgreedAudio): void
  /** @param farewell with which another process can hang up */
  onAnswered(farewell: string): void
  /** The far end pressed a key and sent it by SIP (INFO); keys in RTP come from the media session. */
  onKey(digit: string): void
  onEnded(end: LineCallEnd): void
}

export interface LineCall {
  hangUp(): void
  /** Holds or resumes by a re-INVITE. Resolves with whether the far end agreed. */
  setHold(held: boolean): Promise<boolean>
}
