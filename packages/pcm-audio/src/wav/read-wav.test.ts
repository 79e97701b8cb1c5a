import fc from 'fast-check'
import { runTool } from '@vaani/test-services/run-tool'
import { describe, expect, test } from 'vitest'
import { decodeFloat32, decodeInt16, encodePcm } from '../convert/convert.ts'
import { sampleFormats } from '../convert/formats.ts'
import { s16le } from '../convert/s16.ts'
import type { SampleFormatName } from '../convert/sample-format.ts'
import { u8 } from '../convert/u8.ts'
import { createFloatWavReader, createWavReader, decodeWav } from './read-wav.ts'
import { WavError } from './wav-format.ts'
import { encodeWav, wavHeader } from './write-wav.ts'

const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))
const join = (...parts: readonly Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]))
const uint32 = (value: number, littleEndian = true) => {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value, littleEndian)
  return bytes
}
const uint16 = (value: number, littleEndian = true) =>
  uint32(value, littleEndian).slice(...(littleEndian ? [0, 2] : [2, 4]))
const chunk = (id: string, body: Uint8Array, size = body.length) => join(latin1(id), uint32(size), body)
const riff = (...chunks: Uint8Array[]) => join(latin1('RIFF'), uint32(1), latin1('WAVE'), ...chunks)
const format16 = (
  fields: { tag?: number; channels?: number; rate?: number; frameBytes?: number; bits?: number } = {},
) => {
  const { tag = 1, channels = 1, rate = 8000, frameBytes = 2, bits = 16 } = fields
  return chunk(
    'fmt ',
    join(
      uint16(tag),
      uint16(channels),
      uint32(rate),
      uint32(rate * frameBytes),
      uint16(frameBytes),
      uint16(bits),
    ),
  )
}
const audio = Uint8Array.of(1, 0, 254, 255)
const samples = Int16Array.of(1, -2)

const codeOf = (run: () => unknown): string | undefined => {
  try {
    run()
  } catch (error) {
    if (error instanceof WavError) return error.code
    throw error
  }
  return undefined
}

const writable = Object.values(sampleFormats).filter(({ name }) => !name.endsWith('be'))

test('reads back written files, for any format, channels and chunk boundaries', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...writable),
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { maxLength: 20 }),
      fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 6 }),
      fc.boolean(),
      (format, channels, values, cuts, lengthKnown) => {
        const floats = Float64Array.from(values.slice(0, values.length - (values.length % channels)))
        const bytes = encodePcm(floats, format)
        const options = { sampleRateHz: 22_050, channels, format }
        const file = lengthKnown ? encodeWav(floats, options) : join(wavHeader(options), bytes)
        const reader = createWavReader()
        const floatReader = createFloatWavReader()
        const read: number[] = []
        const readFloats: number[] = []
        for (let start = 0, turn = 0; start < file.length; turn++) {
          const part = file.subarray(start, start + (cuts[turn] ?? 9))
          read.push(...reader.push(part))
          readFloats.push(...floatReader.push(part))
          start += part.length
        }
        reader.end()
        expect(read).toEqual([...decodeInt16(bytes, format)])
        expect(readFloats).toEqual([...decodeFloat32(bytes, format)])
        expect(reader.format).toMatchObject({
          sampleRateHz: 22_050,
          channels,
          sampleFormat: format.name,
          validBits: format.bytesPerSample * 8,
          // The header of an empty file is that of a stream whose writer could not go back.
          dataBytes: lengthKnown && bytes.length > 0 ? bytes.length : undefined,
        })
      },
    ),
  )
})

describe('reads', () => {
  test('files with unknown chunks of odd lengths, with and without padding, before and after the audio', () => {
    const file = riff(
      chunk('LIST', latin1('odd')),
      Uint8Array.of(0),
      format16(),
      chunk('junk', latin1('x')),
      chunk('data', audio),
      chunk('id3 ', latin1('after')),
    )
    expect(decodeWav(file).samples).toEqual(samples)
  })

  test('RIFX, which is big-endian', () => {
    const file = join(
      latin1('RIFX'),
      uint32(40, false),
      latin1('WAVEfmt '),
      uint32(16, false),
      ...[1, 1].map((value) => uint16(value, false)),
      ...[8000, 16_000].map((value) => uint32(value, false)),
      ...[2, 16].map((value) => uint16(value, false)),
      latin1('data'),
      uint32(4, false),
      Uint8Array.of(0, 1, 255, 254),
    )
    expect(decodeWav(file)).toMatchObject({ samples, format: { sampleFormat: 's16be', sampleRateHz: 8000 } })
  })

  test('RF64, which has 64-bit lengths', () => {
    const ds64 = chunk(
      'ds64',
      join(uint32(0), uint32(0), uint32(4), uint32(0), uint32(2), uint32(0), uint32(0)),
    )
    const file = join(
      latin1('RF64'),
      uint32(0xff_ff_ff_ff),
      latin1('WAVE'),
      ds64,
      format16(),
      chunk('data', audio, 0xff_ff_ff_ff),
      chunk('LIST', latin1('no audio')),
    )
    expect(decodeWav(file)).toMatchObject({ samples, format: { dataBytes: 4 } })
    const long = createWavReader()
    long.push(wavHeader({ sampleRateHz: 8000, dataBytes: 5_000_000_000 }))
    expect(long.format?.dataBytes).toBe(5_000_000_000)
  })

  test('20 bits in three bytes, with an extensible format', () => {
    const header = wavHeader({ sampleRateHz: 8000, format: sampleFormats.s24le, dataBytes: 3 })
    header[38] = 20
    const { format, samples: read } = decodeWav(join(header, Uint8Array.of(0, 0, 0x40)))
    expect(format).toMatchObject({ sampleFormat: 's24le', validBits: 20, channelMask: 4 })
    expect(read).toEqual(Int16Array.of(0x40_00))
  })

  test.each([
    ['all ones', uint32(0xff_ff_ff_ff), 0xff_ff_ff_ff],
    ['zeros', uint32(0), 0],
    ['those of sox', uint32(0x7f_ff_f0_24), 0x7f_ff_f0_00],
  ])('streams whose lengths are %s', (_, fileBytes, dataBytes) => {
    const file = riff(format16(), chunk('data', audio, dataBytes))
    file.set(fileBytes, 4)
    expect(decodeWav(file)).toMatchObject({ samples, format: { dataBytes: undefined } })
  })

  test.each([
    ["those of Python's wave", 36, 0],
    ['31 bits', 0x7f_ff_ff_ff + 36, 0x7f_ff_ff_ff],
    ['those of arecord', 0x80_00_00_24, 0x80_00_00_00],
    ['an even number of 32 bits', 0xff_ff_ff_ff, 0xff_ff_ff_fe],
    ['32 bits less the header', 0xff_ff_ff_ff, 0xff_ff_ff_ff - 36],
    ['32 bits in the file, zero in the audio', 0xff_ff_ff_fe, 0],
  ])('streams whose lengths are %s, whole and in pieces', (_, fileBytes, dataBytes) => {
    const file = riff(format16(), chunk('data', audio, dataBytes))
    file.set(uint32(fileBytes), 4)
    expect(decodeWav(file)).toMatchObject({ samples, format: { dataBytes: undefined }, chunks: [] })
    const reader = createWavReader()
    const read = Array.from(file, (_byte, at) => [...reader.push(file.subarray(at, at + 1))])
    reader.end()
    expect(Int16Array.from(read.flat())).toEqual(samples)
  })

  test('RF64 streams, which have zeros in ds64', () => {
    const file = join(
      latin1('RF64'),
      uint32(0xff_ff_ff_ff),
      latin1('WAVE'),
      chunk('ds64', new Uint8Array(28)),
      format16(),
      chunk('data', audio, 0xff_ff_ff_ff),
    )
    expect(decodeWav(file)).toMatchObject({ samples, format: { dataBytes: undefined } })
  })

  test('frames whose length contradicts bits and bytes per second', () => {
    const file = riff(format16(), chunk('data', audio))
    for (const frameBytes of [0, 1, 4]) {
      file.set(uint16(frameBytes), 32)
      expect(decodeWav(file)).toMatchObject({ samples, format: { sampleFormat: 's16le', validBits: 16 } })
    }
  })
})

describe('chunks', () => {
  test('are at most 1,000, however small, and no more of them are kept', () => {
    const empty = (count: number) => Array.from({ length: count }, () => chunk('note', new Uint8Array()))
    const atLimit = riff(format16(), ...empty(998), chunk('data', audio))
    expect(decodeWav(atLimit)).toMatchObject({ samples, chunks: { length: 998 } })
    for (const file of [
      riff(format16(), ...empty(999), chunk('data', audio)),
      riff(format16(), chunk('data', audio), ...empty(5000)),
    ]) {
      const reader = createWavReader({ maxChunkBytes: 0 })
      expect(codeOf(() => reader.push(file))).toBe('too_many_chunks')
      expect(reader.chunks.length).toBeLessThanOrEqual(1000)
    }
  })

  const cue = { id: 'cue ', bytes: join(uint32(1), new Uint8Array(24)) }
  const list = { id: 'LIST', bytes: latin1('INFOINAM\u0005\0\0\0name\0') }
  const bext = { id: 'bext', bytes: new Uint8Array(0) }

  test('before and after the audio are kept, for any boundaries, and written again', () => {
    const first = riff(
      chunk(cue.id, cue.bytes),
      format16(),
      chunk('JUNK', new Uint8Array(9)),
      Uint8Array.of(0),
      chunk('data', Uint8Array.of(1, 0, 254, 255)),
      chunk(list.id, list.bytes),
      Uint8Array.of(0),
      chunk(bext.id, bext.bytes),
    )
    const { chunks } = decodeWav(first)
    expect(chunks).toEqual([cue, list, bext])
    fc.assert(
      fc.property(fc.constantFrom(s16le, u8), fc.integer({ min: 1, max: 90 }), (format, step) => {
        const values = Int16Array.of(256, 512, 768)
        const file = encodeWav(values, { sampleRateHz: 8000, format, chunks })
        expect(new DataView(file.buffer).getUint32(4, true)).toBe(file.length - 8)
        const reader = createWavReader()
        const read: number[] = []
        for (let at = 0; at < file.length; at += step) read.push(...reader.push(file.subarray(at, at + step)))
        reader.end()
        expect(read).toEqual([...values])
        expect(reader.chunks).toEqual(chunks)
      }),
    )
  })

  test('over the limit are skipped', () => {
    const file = encodeWav(samples, { sampleRateHz: 8000, chunks: [list, cue] })
    const reader = createWavReader({ maxChunkBytes: 30 })
    expect(reader.push(file)).toEqual(samples)
    expect(reader.chunks).toEqual([list])
  })

  test('that end the file too early do not spoil the audio', () => {
    const file = encodeWav(samples, { sampleRateHz: 8000, chunks: [cue, list] })
    expect(decodeWav(file.subarray(0, -5))).toMatchObject({ samples, chunks: [cue] })
    expect(decodeWav(join(encodeWav(samples, { sampleRateHz: 8000 }), latin1('TAGof ID3v1')))).toMatchObject({
      samples,
      chunks: [],
    })
  })

  test('need a name of four characters', () => {
    for (const id of ['cue', 'cues!', 'süß ', 'a\nbc'])
      expect(() =>
        encodeWav(samples, { sampleRateHz: 8000, chunks: [{ id, bytes: new Uint8Array(1) }] }),
      ).toThrow(RangeError)
  })
})

describe('refuses', () => {
  test.each([
    ['an MP3 file', latin1('ID3\u0004 an MP3 file'), 'not_wav'],
    ['an AVI', join(latin1('RIFF'), uint32(9), latin1('AVI LIST')), 'not_wav'],
    ['audio before its format', riff(chunk('data', audio), format16()), 'format_missing'],
    ['a truncated format', riff(chunk('fmt ', new Uint8Array(14)), chunk('data', audio)), 'format_missing'],
    ['no channels', riff(format16({ channels: 0 }), chunk('data', audio)), 'format_invalid'],
    ['no rate', riff(format16({ rate: 0 }), chunk('data', audio)), 'format_invalid'],
    ['frames that are too short', riff(format16({ channels: 3 }), chunk('data', audio)), 'format_invalid'],
    ['more bits than bytes', riff(format16({ bits: 24 }), chunk('data', audio)), 'format_invalid'],
    ['16-bit floats', riff(format16({ tag: 3 }), chunk('data', audio)), 'format_invalid'],
    ['ADPCM', riff(format16({ tag: 2 }), chunk('data', audio)), 'format_unsupported'],
    ['MP3 in WAV', riff(format16({ tag: 0x55 }), chunk('data', audio)), 'format_unsupported'],
    [
      'a truncated extensible format',
      riff(format16({ tag: 0xff_fe }), chunk('data', audio)),
      'format_missing',
    ],
    ['an empty file', new Uint8Array(0), 'truncated'],
    ['a header without audio', riff(format16()), 'truncated'],
    ['a chunk that never ends', riff(chunk('LIST', new Uint8Array(9), 0xff_ff_ff_fe)), 'truncated'],
    ['truncated audio', riff(format16(), chunk('data', audio, 6)), 'truncated'],
  ])('%s', (_, file, code) => {
    expect(codeOf(() => decodeWav(file))).toBe(code)
  })

  test.each([
    [0x02, 'Microsoft ADPCM'],
    [0x11, 'IMA ADPCM'],
    [0x31, 'GSM 6.10'],
  ])('codec 0x%i by its name, before anything else of its format', (tag, name) => {
    const file = riff(format16({ tag, bits: tag === 0x31 ? 0 : 4, frameBytes: 65 }), chunk('data', audio))
    expect(() => decodeWav(file)).toThrow(
      expect.objectContaining({ code: 'format_unsupported', message: expect.stringContaining(name) }),
    )
  })

  test('frames whose length only the bytes per second agree with', () => {
    const file = riff(format16({ frameBytes: 4 }), chunk('data', audio))
    expect(codeOf(() => decodeWav(file))).toBe('format_invalid')
  })

  test('a length beyond the safe integers', () => {
    const ds64 = chunk('ds64', new Uint8Array(28).fill(0xff))
    const file = join(latin1('RF64'), uint32(0), latin1('WAVE'), ds64, format16(), chunk('data', audio))
    expect(codeOf(() => decodeWav(file))).toBe('format_invalid')
  })
})

test('hostile bytes give a WavError or samples, and no more samples than bytes', () => {
  const whole = encodeWav(
    Int16Array.from({ length: 200 }, (_, index) => index * 99),
    { sampleRateHz: 8000, channels: 2 },
  )
  const flip = fc.record({ at: fc.nat(60), byte: fc.nat(255) })
  fc.assert(
    fc.property(fc.array(flip, { maxLength: 12 }), fc.integer({ min: 1, max: 300 }), (flips, step) => {
      const file = whole.slice()
      for (const { at, byte } of flips) file[at] = byte
      const reader = createWavReader()
      let given = 0
      const code = codeOf(() => {
        for (let start = 0; start < file.length; start += step)
          given += reader.push(file.subarray(start, start + step)).length
        reader.end()
      })
      expect([
        undefined,
        'not_wav',
        'format_missing',
        'format_invalid',
        'format_unsupported',
        'truncated',
      ]).toContain(code)
      expect(given).toBeLessThanOrEqual(file.length)
    }),
    { numRuns: 3000, seed: 20_261_121 },
  )
})
test.each([
  ['u8', ['-b', '8', '-e', 'unsigned']],
  ['s16le', ['-b', '16', '-e', 'signed']],
  ['s24le', ['-b', '24', '-e', 'signed']],
  ['s32le', ['-b', '32', '-e', 'signed']],
  ['f32le', ['-b', '32', '-e', 'float']],
  ['mulaw', ['-e', 'mu-law']],
  ['alaw', ['-e', 'a-law']],
] satisfies [SampleFormatName, string[]][])(
  'reads the output of sox in a pipe, and sox reads ours: %s',
  { tags: 'sox' },
  (name, args) => {
    const sine = [
      '-D',
      '-n',
      '-r',
      '8000',
      '-c',
      '2',
      ...args,
      '-t',
      'wav',
      '-',
      'synth',
      '0.1',
      'sine',
      '440',
    ]
    const { format, samples: read } = decodeWav(new Uint8Array(runTool('sox', sine)))
    expect(format).toMatchObject({ sampleFormat: name, channels: 2, dataBytes: undefined })
    expect(read).toHaveLength(1600)
    expect(Math.max(...read)).toBeGreaterThan(20_000)
    const file = encodeWav(read, { sampleRateHz: 8000, channels: 2, format: sampleFormats[name] })
    const toRaw = ['-D', '-t', 'wav', '-', '-t', 'raw', '-e', 'signed', '-b', '16', '-']
    const back = decodeInt16(new Uint8Array(runTool('sox', toRaw, file)), sampleFormats.s16le)
    const expected = decodeInt16(encodePcm(read, sampleFormats[name]), sampleFormats[name])
    expect(back).toHaveLength(expected.length)
    // sox rounds halves up.
    expect(back.every((sample, index) => Math.abs(sample - (expected[index] ?? 0)) <= 1)).toBe(true)
  },
)
