const SAMPLE_RATE_HZ = 16_000
const HEADER_BYTES = 44

/** Mono 16-bit frames of 16 kHz as a WAV file. */
export async function encodeWav(
  frames: readonly Int16Array<ArrayBuffer>[],
): Promise<Uint8Array<ArrayBuffer>> {
  const dataBytes = frames.reduce((sum, frame) => sum + frame.byteLength, 0)
  // In the order of bytes of the machine, as the frames are, which is that of WAV everywhere: `RIFF`, `WAVEfmt `, PCM and one
  // channel, two bytes a sample, `data`.
  const header = Uint32Array.of(
    0x46464952,
    HEADER_BYTES - 8 + dataBytes,
    0x45564157,
    0x20746d66,
    16,
    0x10001,
    SAMPLE_RATE_HZ,
    SAMPLE_RATE_HZ * 2,
    0x100002,
    0x61746164,
    dataBytes,
  )
  return new Uint8Array(await new Blob([header, ...frames]).arrayBuffer())
}
