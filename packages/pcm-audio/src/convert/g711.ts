import type { SampleFormat } from './sample-format.ts'

/** See quantize.ts. */
const ROUNDER = 1.5 * 2 ** 52

interface Law {
  name: 'mulaw' | 'alaw'
  /** Low bits of a 16-bit sample that the law ignores. */
  unusedBits: 2 | 4
  /** Returns the code of a sample without those bits. */
  encode(sample: number): number
  /** Returns the 16-bit sample in the middle of a code's interval. */
  decode(code: number): number
}

/** Builds the tables of a law on first use, so that importing it costs nothing. */
function lazyTables({ unusedBits, encode, decode }: Law): () => { codes: Uint8Array; samples: Int16Array } {
  let tables: { codes: Uint8Array; samples: Int16Array } | undefined
  return () => {
    if (tables === undefined) {
      const size = 65_536 >> unusedBits
      tables = { codes: new Uint8Array(size), samples: new Int16Array(256) }
      for (let index = -size / 2; index < size / 2; index++) tables.codes[index & (size - 1)] = encode(index)
      for (let code = 0; code < 256; code++) tables.samples[code] = decode(code)
    }
    return tables
  }
}

function compandedFormat(law: Law): SampleFormat {
  const tables = lazyTables(law)
  const { unusedBits, name } = law
  const mask = (65_536 >> unusedBits) - 1
  return {
    name,
    bytesPerSample: 1,
    toInt16(bytes, into) {
      const { samples } = tables()
      for (let index = 0; index < into.length; index++) into[index] = samples[bytes[index] ?? 0] ?? 0
    },
    toFloats(bytes, into) {
      const { samples } = tables()
      for (let index = 0; index < into.length; index++)
        into[index] = (samples[bytes[index] ?? 0] ?? 0) * (1 / 32_768)
    },
    fromInt16(samples, into) {
      const { codes } = tables()
      for (let index = 0; index < samples.length; index++)
        into[index] = codes[((samples[index] ?? 0) >> unusedBits) & mask] ?? 0
    },
    fromFloats(samples, into) {
      const { codes } = tables()
      for (let index = 0; index < samples.length; index++) {
        // Round to 16 bits first, so that floats and their 16-bit samples get the same code.
        const scaled = (samples[index] ?? 0) * 32_768
        const clamped = scaled > 32_767 ? 32_767 : scaled < -32_768 ? -32_768 : scaled
        into[index] = codes[((clamped + ROUNDER - ROUNDER) >> unusedBits) & mask] ?? 0
      }
    },
  }
}

const MULAW: Law = {
  name: 'mulaw',
  unusedBits: 2,
  encode(sample) {
    // Below zero, use the one's complement, so that thresholds lie on the same side in both halves. Adding 33 makes
    // segments start at powers of two.
    const magnitude = Math.min((sample < 0 ? ~sample : sample) + 33, 0x1f_ff)
    const segment = 26 - Math.clz32(magnitude)
    const code = ((7 - segment) << 4) | (15 - ((magnitude >> (segment + 1)) & 15))
    return sample < 0 ? code : code | 0x80
  },
  decode(code) {
    const segment = (~code >> 4) & 7
    const magnitude = ((((~code & 15) << 3) + 0x84) << segment) - 0x84
    return code & 0x80 ? magnitude : -magnitude
  },
}

const ALAW: Law = {
  name: 'alaw',
  unusedBits: 4,
  encode(sample) {
    const magnitude = sample < 0 ? ~sample : sample
    const segment = Math.max(0, 28 - Math.clz32(magnitude))
    const mantissa = segment > 1 ? magnitude >> (segment - 1) : magnitude
    const code = segment === 0 ? mantissa : (segment << 4) | (mantissa & 15)
    return (sample < 0 ? code : code | 0x80) ^ 0x55
  },
  decode(code) {
    const level = (code ^ 0x55) & 0x7f
    const segment = level >> 4
    const mantissa = ((level & 15) << 4) + 8
    const magnitude = segment === 0 ? mantissa : (mantissa + 0x100) << (segment - 1)
    return code & 0x80 ? magnitude : -magnitude
  },
}

/**
 * μ-law of ITU-T G.711, table 2: the code of North American and Japanese telephony, RTP payload type 0 (PCMU).
 *
 * Truncates a sample to 14 bits and encodes it bit for bit like the software of ITU-T G.191: a sample at a threshold
 * belongs to the interval above it, with the one's complement below zero. sox and ffmpeg differ by one code for some of
 * these samples.
 */
export const mulaw: SampleFormat = /* @__PURE__ */ compandedFormat(MULAW)

/**
 * A-law of ITU-T G.711, table 1: the code of telephony elsewhere, RTP payload type 8 (PCMA), with its even bits inverted as
 * on the line.
 *
 * Truncates a sample to 12 bits including the sign and encodes it bit for bit like the software of ITU-T G.191.
 */
export const alaw: SampleFormat = /* @__PURE__ */ compandedFormat(ALAW)
