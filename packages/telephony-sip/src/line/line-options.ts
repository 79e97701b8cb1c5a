import type { CarrierHealth, IncomingRefusal } from '@vaani/telephony'
import type { WorkerCall } from '@vaani/telephony/line'
import type { Trunk } from '../agent/user-agent.ts'
import type { PortRange } from '../media/media-ports.ts'
import type { CodecName } from '../sdp/description.ts'
import type { TlsCredentials } from '../transport/tls-credentials.ts'

/** A trunk, and our side of it. */
export interface LineOptions {
  readonly trunk: Trunk
  /** Address of the network interface. Default: the one that the route to the trunk leaves by. */
  readonly localAddress?: string
  /** Address at which the trunk reaches us, if we are behind NAT. Default `localAddress`. */
  readonly advertisedAddress?: string
  /** Port of SIP. Default: one that the system chooses. */
  readonly localPort?: number
  /** UDP ports of media. Default: ports that the system chooses. */
  readonly mediaPorts?: PortRange
  /** Codecs to offer, the preferred one first. Default G.722, A-law, μ-law; `opus` is loaded only if it is here. */
  readonly codecs?: readonly CodecName[]
  /** Certificates, in PEM, that the trunk is verified by over TLS. Default: those that Node trusts. */
  readonly certificateAuthorities?: readonly string[]
  /** Key and certificate, in PEM, for a trunk that knows its customers by them (mutual TLS). */
  readonly clientCertificate?: TlsCredentials
}

/** The `workerData` of the line worker. */
export interface LineWorkerData {
  readonly line: LineOptions
  readonly sampleRateHz: number
  readonly pacingCells: Int32Array<SharedArrayBuffer>
  /** Whether to tell what is sent and received. */
  readonly isTraced: boolean
}

/** Messages to the line worker besides those of calls. */
export type LineWorkerCommand =
  /** Nothing to do: the worker starts, and registers if the trunk wants it. */
  | { readonly type: 'start' }
  /** Answers a call that comes in, and which the worker has announced. */
  | { readonly type: 'answer'; readonly incomingId: number; readonly call: WorkerCall }
  | { readonly type: 'refuse'; readonly incomingId: number; readonly reason: IncomingRefusal }
  /** Hangs up a call of a process that died. */
  | { readonly type: 'hang_up_left'; readonly farewell: string }
  /** Hangs up, unregisters and closes the sockets. */
  | { readonly type: 'close' }

/** Message from the line worker besides those of calls. */
export type LineWorkerReport =
  | { readonly type: 'closed' }
  /** A call comes in, and rings. */
  | { readonly type: 'incoming'; readonly incomingId: number; readonly to?: string; readonly from?: string }
  /** It rings no longer, though nobody here has answered or refused it. */
  | { readonly type: 'gone'; readonly incomingId: number }
  /** What was sent or received. */
  | { readonly type: 'trace'; readonly entry: string }
  /** The health of the trunk has changed. */
  | { readonly type: 'health'; readonly health: CarrierHealth }
