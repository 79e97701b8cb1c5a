/** Direction of media, from the writer's view (RFC 3264). */
export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive'

export type CodecName = 'PCMU' | 'PCMA' | 'G722' | 'opus'

/** One audio codec as offered or chosen. */
export interface OfferedCodec {
  readonly name: CodecName
  readonly payloadType: number
}

/** SDES key of one direction (RFC 4568), for `AES_CM_128_HMAC_SHA1_80` or `_32`. */
export interface SrtpKey {
  readonly tag: number
  readonly suite: 'AES_CM_128_HMAC_SHA1_80' | 'AES_CM_128_HMAC_SHA1_32'
  /** 16 bytes of key and 14 of salt. */
  readonly keyAndSalt: Uint8Array
}

/** A stream beside the audio, which we refuse: its m= line without the port. */
export interface RefusedMedia {
  readonly media: string
  readonly protocol: string
  /** Formats as they stand on the line, separated by single spaces. */
  readonly formats: string
}

/** What one side says of its audio stream. */
export interface AudioDescription {
  /** IPv4 or IPv6 address; `0.0.0.0` is an old form of hold. */
  readonly address: string
  /** 0 refuses the stream. RTCP is on the next port, unless `rtcpPort` says otherwise. */
  readonly port: number
  readonly rtcpPort?: number
  readonly codecs: readonly OfferedCodec[]
  /** Payload type of telephone-event at 8000 Hz (RFC 4733). */
  readonly telephoneEvent?: number
  /** The same at 48,000 Hz, the RTP clock of Opus: events have the clock of the audio beside them (RFC 4733, 2.1). */
  readonly telephoneEvent48kHz?: number
  /** Payload type of comfort noise (RFC 3389). */
  readonly comfortNoise?: number
  readonly direction: Direction
  readonly packetMs: number
  readonly srtp?: SrtpKey
  /** Other streams on the lines before and after the audio. An answer refuses each of them in its place (RFC 3264, 6). */
  readonly refusedBefore?: readonly RefusedMedia[]
  readonly refusedAfter?: readonly RefusedMedia[]
}

/** Telephone events as they are sent. */
export interface AgreedEvent {
  readonly payloadType: number
  /** Of their durations. Their timestamps are those of the audio. */
  readonly clockHz: 8000 | 48_000
}

/** What offer and answer agreed on, from our view. */
export interface AgreedAudio {
  /** What we said. Its payload types are those that we receive. */
  readonly local: AudioDescription
  readonly remote: AudioDescription
  /** Address of the peer that signals, if it is known. Media may come from there too: the address in SDP may be behind a NAT. */
  readonly signallingAddress?: string
  /** Codec and payload types with which we send. */
  readonly codec: OfferedCodec
  readonly telephoneEvent?: AgreedEvent
  readonly comfortNoise?: number
  /** Our direction. */
  readonly direction: Direction
  readonly sendKey?: SrtpKey
  readonly receiveKey?: SrtpKey
}
