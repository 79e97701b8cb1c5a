import {
  alaw,
  convertPcm,
  decodeFloat32,
  decodeInt16,
  encodePcm,
  f32le,
  float32ToInt16,
  int16ToFloat32,
  mulaw,
  s16be,
  s16le,
  s24le,
  s32le,
  u8,
} from '../../src/index.ts'
import { compare, type Contender } from './turns.ts'
import { alawmulaw, wavefile } from './untyped.ts'

/**
 * A tenth of a second at 48 kHz. V8 optimizes after a number of calls, so longer calls would delay its best code by
 * seconds.
 */
const COUNT = 4800
const samples = Int16Array.from({ length: COUNT }, (_, index) =>
  Math.round(20_000 * Math.sin(index * 0.05) * Math.sin(index * 0.0003)),
)
const floats = int16ToFloat32(samples)
const int16 = new Int16Array(COUNT)
const float32 = new Float32Array(COUNT)
const bytes = new Uint8Array(4 * COUNT)
const of = (run: () => unknown): Contender => ({ samples: COUNT, run })

/** The minimal loop over two arrays, a lower bound for any conversion. */
function copyByHand(): void {
  for (let index = 0; index < COUNT; index++) float32[index] = (samples[index] ?? 0) * (1 / 32_768)
}
function roundByHand(): void {
  for (let index = 0; index < COUNT; index++) {
    const scaled = (floats[index] ?? 0) * 32_768
    int16[index] = Math.round(scaled < -32_768 ? -32_768 : scaled > 32_767 ? 32_767 : scaled)
  }
}
const wave = (bits: string, data: ArrayLike<number>) => {
  const file = new wavefile.WaveFile()
  file.fromScratch(1, 16_000, bits, data)
  return file
}

const decoded = (format: typeof s16le) => {
  const source = encodePcm(samples, format)
  return { [`${format.name} to 16 bits`]: { ours: of(() => decodeInt16(source, format, int16)) } }
}
const toFloats = (format: typeof s16le) => {
  const source = encodePcm(samples, format)
  return { [`${format.name} to floats`]: { ours: of(() => decodeFloat32(source, format, float32)) } }
}
const encoded = (format: typeof s16le) => ({
  [`16 bits to ${format.name}`]: { ours: of(() => encodePcm(samples, format, bytes)) },
})
const fromFloats = (format: typeof s16le) => ({
  [`floats to ${format.name}`]: { ours: of(() => encodePcm(floats, format, bytes)) },
})
const codes = { mulaw: encodePcm(samples, mulaw), alaw: encodePcm(samples, alaw) }
const s24 = encodePcm(samples, s24le)

const groups: Record<string, Record<string, Contender>> = {
  'Int16Array to Float32Array': {
    ours: of(() => int16ToFloat32(samples, float32)),
    'by hand': of(copyByHand),
    'Float32Array.from': of(() => Float32Array.from(samples, (sample) => sample / 32_768)),
    'wavefile toBitDepth': of(() => wave('16', samples).toBitDepth('32f')),
  },
  'Float32Array to Int16Array': {
    ours: of(() => float32ToInt16(floats, int16)),
    'by hand, Math.round': of(roundByHand),
    'wavefile toBitDepth': of(() => wave('32f', floats).toBitDepth('16')),
  },
  '16 bits to μ-law': {
    ours: of(() => encodePcm(samples, mulaw, bytes)),
    alawmulaw: of(() => alawmulaw.mulaw.encode(samples)),
    'wavefile toMuLaw': of(() => wave('16', samples).toMuLaw()),
  },
  'μ-law to 16 bits': {
    ours: of(() => decodeInt16(codes.mulaw, mulaw, int16)),
    alawmulaw: of(() => alawmulaw.mulaw.decode(codes.mulaw)),
    'wavefile fromMuLaw': of(() => wave('8m', codes.mulaw).fromMuLaw()),
  },
  '16 bits to A-law': {
    ours: of(() => encodePcm(samples, alaw, bytes)),
    alawmulaw: of(() => alawmulaw.alaw.encode(samples)),
    'wavefile toALaw': of(() => wave('16', samples).toALaw()),
  },
  'A-law to 16 bits': {
    ours: of(() => decodeInt16(codes.alaw, alaw, int16)),
    alawmulaw: of(() => alawmulaw.alaw.decode(codes.alaw)),
    'wavefile fromALaw': of(() => wave('8a', codes.alaw).fromALaw()),
  },
  ...decoded(s16le),
  ...decoded(s16be),
  ...decoded(u8),
  ...decoded(s24le),
  ...decoded(s32le),
  ...decoded(f32le),
  ...toFloats(s24le),
  ...toFloats(s32le),
  ...encoded(s24le),
  ...encoded(s16be),
  ...encoded(f32le),
  ...fromFloats(s16le),
  ...fromFloats(s24le),
  ...fromFloats(s32le),
  ...fromFloats(mulaw),
  's24le to f32le, bytes to bytes': { ours: of(() => convertPcm(s24, { from: s24le, to: f32le }, bytes)) },
}

/** Prints the samples per second of each conversion, ours and others'. */
export function benchConversions(): void {
  const rows = Object.entries(groups).flatMap(([conversion, contenders]) =>
    Object.entries(compare(contenders)).map(([by, { rate, share }]) => ({
      conversion,
      by,
      'M samples/s': Number(rate.toPrecision(3)),
      'ours is faster by': by === 'ours' ? '' : `${(1 / share).toFixed(1)}`,
    })),
  )
  console.table(rows)
}
