import type { IncomingRefusal } from '@vaani/telephony'
import type { Verdict } from '@vaani/telephony/line'

/** A request to the provider's REST API. */
export interface RestRequest {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** A response of the provider's REST API. */
export interface RestResponse {
  readonly status: number
  readonly body: string
  /** From the Retry-After header, in seconds. */
  readonly retryAfterSeconds?: number
}

/** A call to place. */
export interface CallToPlace {
  readonly to: string
  readonly from: string
  readonly ringTimeoutMs: number
  readonly maxDurationMs: number
  /** Where the provider reports the progress of the call. */
  readonly statusUrl: string
  /** Where the provider connects the media to. */
  readonly mediaUrl: string
  /** Proves that a media stream belongs to the call. */
  readonly token: string
}

/** How far a call has come, by the provider's word. `failed` was never answered, `completed` is over. */
export type Progress =
  | { readonly type: 'queued' | 'ringing' | 'answered' | 'completed' }
  | { readonly type: 'failed'; readonly verdict: Verdict; readonly sipStatus?: number }

/** The provider's answer to the request to place a call. */
export type Creation =
  | { readonly type: 'created'; readonly callSid: string }
  | { readonly type: 'refused'; readonly verdict: Verdict }
  /** Nothing was created, and asking again later is allowed. */
  | { readonly type: 'throttled'; readonly retryAfterSeconds: number }
  /** A call may exist: it must not be asked for again. */
  | { readonly type: 'unknown' }

/** A report of the progress of a call. */
export interface Callback {
  readonly callSid: string
  /** Reports of one call count up. */
  readonly sequence: number
  readonly progress: Progress
}

/** A callback as it comes. */
export interface RawCallback {
  /** Returns a header by its name in lower case, unless it is absent. */
  readonly headerOf: (name: string) => string | undefined
  readonly body: string
}

/** A callback, with the URL that the provider was given for it. */
export interface AddressedCallback extends RawCallback {
  readonly url: string
}

/** A call that comes in. */
export interface ArrivingCall {
  readonly callSid: string
  /** The number that was called, and that of the caller unless it is withheld. */
  readonly to?: string
  readonly from?: string
}

/** What a provider says of calls that come in, and is told about them. It is told in XML. */
export interface IncomingProtocol {
  /** Reads an authentic webhook. Returns undefined if it is none of a call that comes in. */
  readCall(body: string): ArrivingCall | undefined
  /** Connects the call to a media stream. */
  connect(mediaUrl: string, token: string): string
  refuse(reason: IncomingRefusal): string
}

/** A message on a media stream. */
export type StreamMessage =
  | {
      readonly type: 'start'
      /** Empty if the provider does not name streams. */
      readonly streamSid: string
      /** Absent if the provider does not name the call. */
      readonly callSid?: string
      /** Absent if the stream has none. */
      readonly token?: string
    }
  /** Audio from the far end, as it is encoded. */
  | { readonly type: 'media'; readonly payload: Uint8Array }
  | { readonly type: 'key'; readonly digit: string }
  /** Everything sent before the mark was played, or cleared. */
  | { readonly type: 'mark'; readonly name: string }
  | { readonly type: 'stop' }
  /** Says nothing that concerns us. */
  | { readonly type: 'other' }

/** How a provider's streams encode audio. */
export interface AudioEncoding {
  readonly sampleRateHz: number
  encode(samples: Int16Array): Uint8Array
  decode(payload: Uint8Array): Int16Array
}

/** What a provider's media socket reads and writes. */
export interface StreamProtocol {
  readonly encoding: AudioEncoding
  /** Whether a call ends without any other word than that its socket is closed. */
  readonly endsByClosing: boolean
  /** @throws StreamMessageError */
  readMessage(data: string | Uint8Array): StreamMessage
  writeMedia(streamSid: string, payload: Uint8Array): string | Uint8Array
  writeMark(streamSid: string, name: string): string
  writeClear(streamSid: string): string
}

/**
 * What differs between providers that place calls by REST, report them by callbacks and carry the media over a WebSocket. Pure: it
 * makes requests and reads what comes back.
 */
export interface Provider {
  createCall(call: CallToPlace): RestRequest
  readCreation(response: RestResponse): Creation
  /** Hanging up twice does no harm. */
  hangUp(callSid: string): RestRequest
  /** Returns whether the call is surely over. */
  readHangUp(response: RestResponse): boolean
  lookUp(callSid: string): RestRequest
  /** Returns the progress of a call that was looked up, or undefined if the response has none. */
  readLookUp(response: RestResponse): Progress | undefined
  /** Asks for something that costs nothing, with the credentials and the permission that calls need. */
  probe(): RestRequest
  /** Returns whether a callback is authentic. */
  isAuthentic(callback: AddressedCallback): boolean
  /** Reads an authentic callback. Returns undefined if it is none about the progress of a call. */
  readCallback(body: string): Callback | undefined
  readonly stream: StreamProtocol
  /** Absent if calls of the provider are not taken. */
  readonly incoming?: IncomingProtocol
}
