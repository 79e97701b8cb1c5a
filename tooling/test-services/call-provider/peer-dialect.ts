/** Ids of a media stream. */
export interface StreamIds {
  readonly callSid: string
  readonly streamSid: string
}

/** What we ask of a media stream. */
export type StreamCommand =
  | { readonly type: 'media'; readonly payload: Buffer }
  | { readonly type: 'mark'; readonly name: string }
  | { readonly type: 'clear' | 'other' }

/** Messages of a provider's media streams, by its public documents. */
export interface PeerStreamDialect {
  /** Audio of 20 ms. */
  readonly silence: Buffer
  /** The first messages. */
  readonly opening: (ids: StreamIds, parameters: Readonly<Record<string, string>>) => readonly string[]
  /** Audio of the person. Messages are numbered. */
  readonly media: (ids: StreamIds, number: number, frame: Buffer) => string | Buffer
  readonly mark: (ids: StreamIds, number: number, name: string) => string
  readonly key: (ids: StreamIds, number: number, digit: string) => string
  /** Absent if closing the socket says it. */
  readonly stop?: (ids: StreamIds, number: number) => string
  readonly read: (data: Buffer, isBinary: boolean) => StreamCommand
}

/** How a call goes on, by Twilio's names of statuses. */
export interface Report {
  readonly callSid: string
  readonly status: string
  readonly sipStatus?: number
  /** Default `outbound-api`. */
  readonly direction?: 'inbound'
  readonly sequence: number
  readonly from: string
  readonly to: string
}

/** What differs between providers, by their public documents. */
export interface PeerDialect {
  readonly isAuthorized: (authorization: string) => boolean
  /** Matches paths of the REST API: the second group is the call, if there is one. */
  readonly path: RegExp
  /** Reads the request to place a call, by Twilio's names. */
  readonly readCreation: (body: string) => URLSearchParams
  /** The response to it. */
  readonly created: (call: { readonly sid: string; readonly to: string }) => object
  readonly isHangUp: (method: string, body: string) => boolean
  /** The response to a look-up. */
  readonly state: (call: { readonly sid: string; readonly status: string }) => object
  readonly createIds: () => StreamIds
  /** The request that reports how a call goes on. */
  readonly report: (
    url: string,
    report: Report,
  ) => { readonly headers: Readonly<Record<string, string>>; readonly body: string }
  readonly stream: PeerStreamDialect
}
