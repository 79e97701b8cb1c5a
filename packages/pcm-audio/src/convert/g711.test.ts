import { createHash } from 'node:crypto'
import { runTool } from '@vaani/test-services/run-tool'
import { describe, expect, test } from 'vitest'
import { decodeInt16, encodePcm } from './convert.ts'
import { alaw, mulaw } from './g711.ts'
import { pcm16Bytes } from './pcm16-bytes.ts'

const everyInt16 = Int16Array.from({ length: 65_536 }, (_, index) => index - 32_768)
const everyCode = Uint8Array.from({ length: 256 }, (_, code) => code)
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/*
 * SHA-256 digests made with g711.c of ITU-T G.191 (github.com/openitu/STL, version 3.01): `ulaw_compress` and
 * `alaw_compress` of all samples from -32768 to 32767, one byte each, and `ulaw_expand` and `alaw_expand` of all codes from
 * 0 to 255, as s16le.
 */
const G191 = [
  {
    format: mulaw,
    codes: '90c29de505fb68e766118303bd552a16005dcf810873698bee1d8f3b247ce28c',
    samples: '3dab54339e520bb2c924826e3b72a917a2b612e9fd12fc867500f1d983a75827',
  },
  {
    format: alaw,
    codes: '38488f6fd710f4686360edc4d38639f96c491595ef93f8eb8d62d5e07ca6ce7b',
    samples: 'e04788d110e58ff8c70c93b8480190d973e3b67876b6119abbaec766cc75c174',
  },
]

describe.each(G191)('$format.name', ({ format, codes, samples }) => {
  test('is bit-exact with ITU-T G.191 for all samples and codes', () => {
    expect(sha256(encodePcm(everyInt16, format))).toBe(codes)
    expect(sha256(pcm16Bytes(decodeInt16(everyCode, format)))).toBe(samples)
  })

  test('round-trips every code except the one for -0', () => {
    const again = encodePcm(decodeInt16(everyCode, format), format)
    expect([...everyCode].filter((code) => again[code] !== code)).toEqual(format === mulaw ? [0x7f] : [])
  })

  test('encodes floats like the samples that they round to', () => {
    const floats = Float32Array.from(everyInt16, (sample) => sample / 32_768)
    expect(encodePcm(floats, format)).toEqual(encodePcm(everyInt16, format))
    expect(encodePcm(Float32Array.of(9, -9), format)).toEqual(
      encodePcm(Int16Array.of(32_767, -32_768), format),
    )
  })
})

const raw = (format: string) => ['-f', format, '-ar', '8000', '-ac', '1']

describe.each([mulaw, alaw])('$name compared with other tools', (format) => {
  // Other tools pick the adjacent code at thresholds, and below zero if they use the two's complement.
  const largestDifference = (others: Uint8Array) => {
    const ours = decodeInt16(encodePcm(everyInt16, format), format)
    const theirs = decodeInt16(others, format)
    return everyInt16.reduce((largest, sample, index) => {
      const step = Math.max(16, 2 ** (Math.floor(Math.log2(Math.abs(sample) + 132)) - 4))
      return Math.max(largest, Math.abs((ours[index] ?? 0) - (theirs[index] ?? Number.NaN)) / step)
    }, 0)
  }

  test('decodes like ffmpeg, and encodes within one step of it', { tags: 'ffmpeg' }, () => {
    const convert = (from: string, to: string, input: Uint8Array) =>
      new Uint8Array(runTool('ffmpeg', [...raw(from), '-i', '-', ...raw(to), '-'], input))
    expect(pcm16Bytes(decodeInt16(everyCode, format))).toEqual(convert(format.name, 's16le', everyCode))
    expect(largestDifference(convert('s16le', format.name, pcm16Bytes(everyInt16)))).toBeLessThanOrEqual(2)
  })

  test('encodes within one step of sox', { tags: 'sox' }, () => {
    const encoding = format === mulaw ? 'ul' : 'al'
    const input = ['-t', 'raw', '-r', '8000', '-e', 'signed', '-b', '16', '-c', '1', '-']
    const coded = runTool('sox', ['-D', ...input, '-t', encoding, '-'], pcm16Bytes(everyInt16))
    expect(largestDifference(coded)).toBeLessThanOrEqual(2)
  })
})
