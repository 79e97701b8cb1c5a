import type { MediaQuality } from '@vaani/telephony'
import type { AgreedAudio } from '../sdp/description.ts'

/** RTP of one call. It has no timer: `tick` is called each 20 ms by the pacer of all calls. */
export interface MediaSession {
  /** Port of RTP to write into SDP; RTCP is on the next. */
  readonly localPort: number
  /** Sets or changes what was agreed: after the answer, early media, a re-INVITE. */
  agree(audio: AgreedAudio): void
  /**
   * Sends one frame of 20 ms and returns the frame that is due from the far end: both mono, 16-bit, at `sampleRateHz`.
   * `null` is a pause: comfort noise where it was agreed, silence otherwise. The returned frame is valid until the next
   * call: copy it to keep it.
   */
  tick(frame: Int16Array | null): Int16Array
  readonly sampleRateHz: number
  /** Queues keys to press, as telephone events. */
  press(digits: string): void
  /** Sets the receiver of keys that the far end pressed. */
  onKey(receive: (digit: string) => void): void
  quality(): MediaQuality
  /** Sends RTCP BYE and closes the sockets. Idempotent. */
  close(): void
}
