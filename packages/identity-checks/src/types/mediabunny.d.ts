/** Types for the part of mediabunny used here; tsconfig.json has the reason. */
export interface Format {
  readonly name: string
}
export declare const MP4: Format
export declare const QTFF: Format
export declare const WEBM: Format

export declare class FilePathSource {
  readonly file: string
  constructor(file: string)
}

export interface VideoTrack {
  readonly codec: string | null
  readonly displayWidth: number
  readonly displayHeight: number
}

export interface AudioTrack {
  readonly codec: string | null
}

export declare class Input {
  constructor(options: { source: FilePathSource; formats: readonly Format[] })
  canRead(): Promise<boolean>
  getPrimaryVideoTrack(): Promise<VideoTrack | null>
  getPrimaryAudioTrack(): Promise<AudioTrack | null>
  getDurationFromMetadata(): Promise<number | null>
  dispose(): void
}

export interface Packet {
  readonly type: 'key' | 'delta'
  /** Seconds. */
  readonly timestamp: number
  readonly duration: number
}

export declare class EncodedPacketSink {
  constructor(track: VideoTrack | AudioTrack)
  packets(): AsyncIterable<Packet>
}
