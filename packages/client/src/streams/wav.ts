const SAMPLE_RATE_HZ = 16_000
const HEADER_BYTES = 44

/** Mono 16-bit frames of 16 kHz as a WAV file. */
export function encodeWav(frames: readonly Int16Array[]): Uint8Array<ArrayBuffer> {
  const dataBytes = frames.reduce((sum, frame) => sum + frame.byteLength, 0)
  const wav = new Uint8Array(HEADER_BYTES + dataBytes)
  const view = new DataView(wav.buffer)
  const text = (at: number, letters: string): void =>
    void new TextEncoder().encodeInto(letters, wav.subarray(at))
  text(0, 'RIFF')
  view.setUint32(4, HEADER_BYTES - 8 + dataBytes, true)
  text(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, SAMPLE_RATE_HZ, true)
  view.setUint32(28, SAMPLE_RATE_HZ * 2, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  text(36, 'data')
  view.setUint32(40, dataBytes, true)
  let at = HEADER_BYTES
  for (const frame of frames) {
    wav.set(new Uint8Array(frame.buffer, frame.byteOffset, frame.byteLength), at)
    at += frame.byteLength
  }
  return wav
}
