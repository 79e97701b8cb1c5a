import type { CarrierHealth, IncomingRefusal } from '@vaani/telephony'
import type { IncomingRing, WorkerCall } from '@vaani/telephony/line'
import type { TelnyxAccount } from '../telnyx/account.ts'
import type { TwilioAccount } from '../twilio/account.ts'
import type { VonageAccount } from '../vonage/account.ts'

/** Our side of a line, the same for every provider. */
export interface CarrierSettings extends ReachableLine {
  /** The operator's name of the line, by which calls show that a phone rang. */
  readonly name: string
  /** Takes calls that come in: the provider must post them to `/incoming` below `publicUrl`. Default false. */
  readonly takesCalls?: boolean
  /** URL of the line worker's file, for a program bundled into one file. Default: the file beside this package's code. */
  readonly workerUrl?: URL
  /**
   * Called if the line worker crashes, say because its port is taken. Its calls end as `carrier_error`, and it starts again after 25 seconds.
   * Default: emits a process warning.
   */
  readonly onCrash?: (error: Error) => void
}

/** What the provider reaches of ours, and shows to callees. */
export interface ReachableLine {
  /**
   * HTTPS URL at which the provider reaches the listener: it sends reports to `/status/…` below it, and connects the media to `/media`. A proxy in
   * front of it may pass its path on or take it away.
   */
  readonly publicUrl: string
  /** Where the listener waits for the proxy that serves `publicUrl`. */
  readonly listen: { readonly address: string; readonly port: number }
  /** Number of the account, in E.164, that is shown if a call names none. */
  readonly callerId: string
}

/** An account of one of the providers. */
export type ProviderAccount =
  | ({ readonly provider: 'twilio' } & TwilioAccount)
  | ({ readonly provider: 'telnyx' } & TelnyxAccount)
  | ({ readonly provider: 'vonage' } & VonageAccount)

/** The `workerData` of the line worker. */
export interface LineWorkerData {
  readonly account: ProviderAccount
  readonly line: ReachableLine
  readonly takesCalls: boolean
  readonly pacingCells: Int32Array<SharedArrayBuffer>
}

/** Messages to the line worker besides those of calls. */
export type LineWorkerCommand =
  /** Nothing to do: the worker starts, listens, and asks whether the provider answers. */
  | { readonly type: 'start' }
  /** Answers a call that comes in, and which the worker has announced. */
  | { readonly type: 'answer'; readonly incomingId: number; readonly call: WorkerCall }
  | { readonly type: 'refuse'; readonly incomingId: number; readonly reason: IncomingRefusal }
  /** Closes the listener. */
  | { readonly type: 'close' }

/** Message from the line worker besides those of calls. */
export type LineWorkerReport =
  | { readonly type: 'closed' }
  /** A call comes in, and rings. */
  | ({ readonly type: 'incoming' } & IncomingRing)
  /** It rings no longer, though nobody here has answered or refused it. */
  | { readonly type: 'gone'; readonly incomingId: number }
  /** The health of the provider has become known, or has changed. */
  | { readonly type: 'health'; readonly health: CarrierHealth }
