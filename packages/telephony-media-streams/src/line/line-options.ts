import type { CarrierHealth } from '@vaani/telephony'
import type { TelnyxAccount } from '../telnyx/account.ts'
import type { TwilioAccount } from '../twilio/account.ts'
import type { VonageAccount } from '../vonage/account.ts'

/** Our side of a line, the same for every provider. */
export interface CarrierSettings extends ReachableLine {
  /** The operator's name of the line, by which calls show that a phone rang. */
  readonly name: string
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
  readonly pacingCells: Int32Array<SharedArrayBuffer>
}

/** Messages to the line worker besides those of calls. */
export type LineWorkerCommand =
  /** Nothing to do: the worker starts, listens, and asks whether the provider answers. */
  | { readonly type: 'start' }
  /** Closes the listener. */
  | { readonly type: 'close' }

/** Message from the line worker besides those of calls. */
export type LineWorkerReport =
  | { readonly type: 'closed' }
  /** The health of the provider has become known, or has changed. */
  | { readonly type: 'health'; readonly health: CarrierHealth }
