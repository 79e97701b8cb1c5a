import type { IncomingCall } from '../dialog/incoming-call.ts'
import type { LineCall, LineCallListener } from '../dialog/line-call.ts'
import type { AudioDescription, SrtpKey } from '../sdp/description.ts'
import type { TransportName } from '../transport/flow.ts'
import type { TrunkHealth } from './trunk-health.ts'

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
  /**
   * Header that names the caller id beside From (RFC 3325), as most trunks want it of those whom they trust (`asserted`), or of their
   * customers (`preferred`). Default: none.
   */
  readonly callerIdHeader?: 'asserted' | 'preferred'
  /** Whether to register, for trunks that do not know us by our address. Default false. */
  readonly register?: boolean
  /** Whether to send OPTIONS every 25 seconds, to know the trunk's health and to keep a NAT open. Default true. */
  readonly keepAlive?: boolean
  /** Whether media must be encrypted (SRTP with keys in SDP). Keys are as secret as the signalling, so use TLS. Default `off`. */
  readonly srtp?: 'off' | 'required'
  /**
   * Takes calls that come in, and by which addresses the trunk is known besides those that its host has: addresses and networks such
   * as `198.51.100.0/24`. Default: calls that come in are refused.
   */
  readonly inbound?: { readonly from?: readonly string[] }
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

/** A call that comes in, and rings until it is answered or refused. */
export interface IncomingLineCall extends Pick<IncomingCall, 'to' | 'from' | 'answer' | 'refuse'> {}

/** Takes calls that come in. */
export interface IncomingListener {
  onCall(call: IncomingLineCall): void
  /** The caller has given up, or nobody answered in time. */
  onGone(call: IncomingLineCall): void
}

/** Places calls on one trunk, and takes those that come from it. */
export interface UserAgent {
  call(request: LineCallRequest, listener: LineCallListener): LineCall
  /** Sets who takes calls that come in. Without it, all are refused. */
  onIncoming(listener: IncomingListener): void
  /** Calls the listener when the health of the trunk changes, which is unknown at first. There is one listener. */
  onHealth(listener: (health: TrunkHealth) => void): void
  /** Hangs up a call of a process that died, by what its `onAnswered` told. @throws SyntaxError, SipParseError if it is none */
  hangUpLeft(farewell: string): Promise<void>
  /** Hangs up all calls, unregisters, and closes the sockets. */
  close(): Promise<void>
}
