import type { CallEndedBy, CallOutcome } from '@vaani/telephony'
import type { AgreedAudio, AudioDescription, SrtpKey } from '../sdp/description.ts'
import type { TransportName } from '../transport/flow.ts'

/** A trunk: the peer that takes our calls. */
export interface Trunk {
  /** Host name, which may have NAPTR and SRV records, or an address. */
  readonly host: string
  /** Without it, the port comes from DNS: 5060, or 5061 over TLS. */
  readonly port?: number
  readonly transport: TransportName
  /** Digest credentials. They answer only challenges of this trunk's own host and realm. */
  readonly username?: string
  readonly password?: string
  /** The only realm whose challenges are answered. Default: the first that the trunk names. */
  readonly realm?: string
  /** Domain of From and To. Default `host`. */
  readonly domain?: string
  /** Whether to register, for trunks that do not know us by our address. Default false. */
  readonly register?: boolean
  /** Whether to send OPTIONS every 25 seconds, to know the trunk's health and to keep a NAT open. Default true. */
  readonly keepAlive?: boolean
  readonly srtp?: 'off' | 'offered' | 'required'
}

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
  onAnswered(): void
  /** The far end pressed a key and sent it by SIP (INFO); keys in RTP come from the media session. */
  onKey(digit: string): void
  onEnded(end: LineCallEnd): void
}

export interface LineCallRequest {
  /** In E.164. */
  readonly to: string
  readonly fromCallerId?: string
  readonly ringTimeoutMs: number
  readonly maxDurationMs: number
  /** What we offer. */
  readonly offer: AudioDescription
  /** Key of our direction, if the offer has one. */
  readonly sendKey?: SrtpKey
}

export interface LineCall {
  hangUp(): void
  /** Holds or resumes by a re-INVITE. Resolves with whether the far end agreed. */
  setHold(held: boolean): Promise<boolean>
}

/** Health of a trunk, from OPTIONS. */
export interface TrunkHealth {
  readonly state: 'unknown' | 'up' | 'down'
  readonly lastStatus?: number
  readonly sinceMs: number
}

/** Places calls on one trunk. */
export interface UserAgent {
  call(request: LineCallRequest, listener: LineCallListener): LineCall
  health(): TrunkHealth
  /** Hangs up all calls, unregisters, and closes the sockets. */
  close(): Promise<void>
}
