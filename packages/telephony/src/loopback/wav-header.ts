const HEADER_BYTES = 44
const SAMPLE_BYTES = 2

/** The header of a WAV file of mono 16-bit PCM whose samples take this many bytes. */
export function wavHeader(options: {
  readonly sampleRateHz: number
  readonly dataBytes: number
}): Uint8Array {
  const { sampleRateHz, dataBytes } = options
  const header = Buffer.alloc(HEADER_BYTES)
  header.write('RIFF')
  header.writeUInt32LE(HEADER_BYTES - 8 + dataBytes, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16) // length of the format chunk
  header.writeUInt16LE(1, 20) // PCM
  header.writeUInt16LE(1, 22) // mono
  header.writeUInt32LE(sampleRateHz, 24)
  header.writeUInt32LE(sampleRateHz * SAMPLE_BYTES, 28)
  header.writeUInt16LE(SAMPLE_BYTES, 32)
  header.writeUInt16LE(8 * SAMPLE_BYTES, 34)
  header.write('data', 36)
  header.writeUInt32LE(dataBytes, 40)
  return header
}
