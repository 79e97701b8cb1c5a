import { Application, createEncoder, Signal } from 'libopus-wasm'
import type { FileEncoder } from './file-encoder.ts'
import type { ENCODED_STREAM_SAMPLE_RATE_HZ } from '../stream/models.ts'

const FRAMES_PER_SECOND = 50
/** Positions in the file count samples at this rate, whatever the encoder was given (RFC 7845, section 4). */
const GRANULE_HZ = 48_000
/** Half of the highest, at twice the speed. The difference is inaudible in speech at these bit rates. */
const COMPLEXITY = 5
const VENDOR = 'Vaani'
/** A random serial number would make each file of the same speech a different one. */
const SERIAL = 1
const PAGE_HEADER_BYTES = 27
/** A page has at most 255 segments, and the largest packet, of 1275 bytes, takes six. */
const PACKETS_PER_PAGE = 42
const FIRST_PAGE = 2
const LAST_PAGE = 4

/**
 * Creates an encoder to Ogg Opus (RFC 7845). Each push ends a page, so that what was pushed can be played at once, except for less than a frame of
 * 20 ms.
 */
export async function createOggOpusWriter(options: {
  sampleRateHz: typeof ENCODED_STREAM_SAMPLE_RATE_HZ
  kbps: number
}): Promise<FileEncoder> {
  const { sampleRateHz, kbps } = options
  const frameSamples = sampleRateHz / FRAMES_PER_SECOND
  const granulesPerSample = GRANULE_HZ / sampleRateHz
  const encoder = await createEncoder({
    sampleRate: sampleRateHz,
    channels: 1,
    frameSize: frameSamples,
    application: Application.Audio,
    signal: Signal.Voice,
    bitrate: kbps * 1000,
    complexity: COMPLEXITY,
  })
  const preSkip = encoder.getLookahead() * granulesPerSample
  const writePage = createPageWriter()
  const header = [
    writePage([opusHead(preSkip, sampleRateHz)], { granule: 0, flags: FIRST_PAGE }),
    writePage([opusTags()], { granule: 0 }),
  ]
  let samples = 0
  let coded = 0
  let waiting = new Float32Array(0)

  /** Encodes whole frames to pages, and keeps the rest. The last page ends at `endGranule`. */
  function encode(given: Float32Array, endGranule?: number): Uint8Array[] {
    const all = new Float32Array(waiting.length + given.length)
    all.set(waiting)
    all.set(given, waiting.length)
    const end = all.length - (all.length % frameSamples)
    waiting = all.slice(end)
    const ready = header.splice(0)
    for (let at = 0; at < end;) {
      const packets: Uint8Array[] = []
      for (; at < end && packets.length < PACKETS_PER_PAGE; at += frameSamples)
        packets.push(encoder.encodeFloat(all.subarray(at, at + frameSamples)))
      coded += packets.length * frameSamples
      const isLast = endGranule !== undefined && at === end
      ready.push(
        isLast
          ? writePage(packets, { granule: endGranule, flags: LAST_PAGE })
          : writePage(packets, { granule: coded * granulesPerSample }),
      )
    }
    return ready
  }
  return {
    push(given) {
      samples += given.length
      return concatenate(encode(given))
    },
    finish() {
      // The encoder lags, so silence must push the last samples out. The position of the last page cuts it off.
      const needed = samples + encoder.getLookahead()
      const whole = Math.ceil(needed / frameSamples) * frameSamples
      const silence = new Float32Array(whole - coded - waiting.length)
      return concatenate(encode(silence, samples * granulesPerSample + preSkip))
    },
    release: () => encoder.free(),
  }
}

/** RFC 7845, section 5.1. */
function opusHead(preSkip: number, sampleRateHz: number): Uint8Array {
  const head = Buffer.alloc(19)
  head.write('OpusHead')
  head.writeUInt8(1, 8)
  head.writeUInt8(1, 9)
  head.writeUInt16LE(preSkip, 10)
  head.writeUInt32LE(sampleRateHz, 12)
  return head
}

/** RFC 7845, section 5.2. */
function opusTags(): Uint8Array {
  const tags = Buffer.alloc(8 + 4 + VENDOR.length + 4)
  tags.write('OpusTags')
  tags.writeUInt32LE(VENDOR.length, 8)
  tags.write(VENDOR, 12)
  return tags
}

/** Returns a function that makes the next page of a stream from whole packets (RFC 3533, section 6). */
function createPageWriter() {
  let sequence = 0
  return (
    packets: readonly Uint8Array[],
    { granule, flags = 0 }: { granule: number; flags?: number },
  ): Uint8Array => {
    const segments = packets.flatMap(({ length }) => [
      ...Array<number>(Math.floor(length / 255)).fill(255),
      length % 255,
    ])
    const page = Buffer.concat([Buffer.alloc(PAGE_HEADER_BYTES), Uint8Array.from(segments), ...packets])
    page.write('OggS')
    page.writeUInt8(flags, 5)
    page.writeBigInt64LE(BigInt(granule), 6)
    page.writeUInt32LE(SERIAL, 14)
    page.writeUInt32LE(sequence++, 18)
    page.writeUInt8(segments.length, 26)
    page.writeUInt32LE(oggChecksum(page), 22)
    return page
  }
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x80_00_00_00 ? (crc << 1) ^ 0x04_c1_1d_b7 : crc << 1
  return crc
})

/** CRC-32 of Ogg: neither reflected nor inverted, unlike that of zlib. */
function oggChecksum(page: Uint8Array): number {
  let crc = 0
  for (const byte of page) crc = (crc << 8) ^ (CRC_TABLE[((crc >>> 24) ^ byte) & 0xff] ?? 0)
  return crc >>> 0
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
