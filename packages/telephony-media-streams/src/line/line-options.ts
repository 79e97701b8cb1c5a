import type { CarrierHealth } from '@vaani/telephony'
import type { TwilioAccount } from '../twilio/account.ts'

/** A line of Twilio, and our side of it. */
export interface TwilioLine extends TwilioAccount {
  /**
   * HTTPS URL at which Twilio reaches the listener: it sends reports to `/status/…` below it, and connects the media to `/media`. A proxy in
   * front of it may pass its path on or take it away.
   */
  readonly publicUrl: string
  /** Where the listener waits for the proxy that serves `publicUrl`. */
  readonly listen: { readonly address: string; readonly port: number }
  /** Number of the account, in E.164, that is shown if a call names none. */
  readonly callerId: string
}

/** The `workerData` of the line worker. */
export interface LineWorkerData {
  readonly line: TwilioLine
  readonly sampleRateHz: number
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
