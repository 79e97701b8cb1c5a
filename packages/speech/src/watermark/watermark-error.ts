/** Options that a watermark can refuse. */
export type WatermarkField = 'key' | 'payload' | 'sampleRateHz'

/** Reports an option that is out of range. The message never contains its value. */
export class WatermarkError extends Error {
  override readonly name = 'WatermarkError'
  readonly code = 'invalid_option'
  readonly field: WatermarkField

  constructor(field: WatermarkField, message: string) {
    super(message)
    this.field = field
  }
}

/** @throws WatermarkError if the key does not have 32 bytes */
export function requireKey(key: Uint8Array): void {
  if (key.length !== 32) throw new WatermarkError('key', 'The key must have 32 bytes')
}

/** @throws WatermarkError if the rate is not a whole number from 8000 to 192,000 */
export function requireSampleRate(sampleRateHz: number): void {
  if (!Number.isInteger(sampleRateHz) || sampleRateHz < 8000 || sampleRateHz > 192_000)
    throw new WatermarkError(
      'sampleRateHz',
      'The sample rate must be a whole number of hertz from 8000 to 192000',
    )
}
