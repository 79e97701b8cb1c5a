import { crc32 } from 'node:zlib'
import { createDecoder } from 'libopus-wasm'
import { expect, test } from 'vitest'
import { createOggOpusWriter } from './ogg-opus.ts'
import { speechLike } from './test/speech-like.ts'

const RATE_HZ = 24_000

interface Page {
  flags: number
  granule: number
  sequence: number
  packets: Uint8Array[]
}

/** Reads the pages of a file by RFC 3533, and checks their checksums. */
function readPages(file: Buffer): Page[] {
  const pages: Page[] = []
  for (let at = 0; at < file.length;) {
    expect(file.toString('latin1', at, at + 4)).toBe('OggS')
    const segments = file.subarray(at + 27, at + 27 + file.readUInt8(at + 26))
    let end = at + 27 + segments.length
    const packets: Uint8Array[] = []
    let start = end
    for (const length of segments) {
      end += length
      if (length === 255) continue
      packets.push(file.subarray(start, end))
      start = end
    }
    const page = Buffer.from(file.subarray(at, end))
    const checksum = page.readUInt32LE(22)
    page.writeUInt32LE(0, 22)
    expect(checksum).toBe(plainCrc(page))
    pages.push({
      flags: page.readUInt8(5),
      granule: Number(page.readBigInt64LE(6)),
      sequence: page.readUInt32LE(18),
      packets,
    })
    at = end
  }
  return pages
}

/** The CRC of Ogg from that of zlib, which takes the bits of each byte and of the result in the other order. */
function plainCrc(bytes: Uint8Array): number {
  const reversed = Buffer.from(bytes.map((byte) => reverse(byte, 8)))
  // Zlib inverts the register before and after; starting from all ones there is starting from zero here.
  return reverse(~crc32(reversed, 0xff_ff_ff_ff) >>> 0, 32)
}

const reverse = (value: number, bits: number): number =>
  Number.parseInt([...value.toString(2).padStart(bits, '0')].toReversed().join(''), 2)

async function write(seconds: number, pieces: readonly number[], kbps = 48) {
  const samples = Float32Array.from(
    speechLike({ seconds, sampleRateHz: RATE_HZ }),
    (sample) => sample / 32_768,
  )
  const writer = await createOggOpusWriter({ sampleRateHz: RATE_HZ, kbps })
  const parts: Uint8Array[] = []
  for (let at = 0, index = 0; at < samples.length; index++) {
    const length = pieces[index % pieces.length] ?? samples.length
    parts.push(writer.push(samples.subarray(at, at + length)))
    at += length
  }
  parts.push(writer.finish())
  writer.release()
  return { samples, parts, file: Buffer.concat(parts) }
}

test.each([
  ['a whole number of frames', 1],
  ['less than a frame', 0.003],
  ['more than a page', 2.3456],
  ['nothing', 0],
])('writes %s, which decodes to the same sound in the same place', async (_, seconds) => {
  const { samples, file } = await write(seconds, [4800])
  const [head, tags, ...pages] = readPages(file)
  expect(Buffer.from(head?.packets[0] ?? []).toString('latin1', 0, 8)).toBe('OpusHead')
  expect(Buffer.from(tags?.packets[0] ?? []).toString('latin1', 0, 8)).toBe('OpusTags')
  expect([head, tags, ...pages].map((page) => page?.sequence)).toEqual(
    [...pages.keys(), 0, 1].map((_, at) => at),
  )
  expect([head, ...pages].map((page) => page?.flags)).toEqual([
    2,
    ...pages.map((_, at) => (at === pages.length - 1 ? 4 : 0)),
  ])
  const preSkip = Buffer.from(head?.packets[0] ?? []).readUInt16LE(10)
  expect((pages.at(-1)?.granule ?? 0) - preSkip).toBe(samples.length * 2)

  const decoder = await createDecoder({ sampleRate: RATE_HZ, channels: 1 })
  const decoded = pages.flatMap(({ packets }) =>
    packets.flatMap((packet) => [...decoder.decodeFloat(packet)]),
  )
  decoder.free()
  const heard = decoded.slice(preSkip / 2, preSkip / 2 + samples.length)
  expect(heard).toHaveLength(samples.length)
  if (seconds < 1) return
  let product = 0
  let [own, theirs] = [0, 0]
  for (const [index, sample] of samples.entries()) {
    product += sample * (heard[index] ?? 0)
    own += sample ** 2
    theirs += (heard[index] ?? 0) ** 2
  }
  expect(product / Math.sqrt(own * theirs)).toBeGreaterThan(0.9)
})

test('writes the same packets however the samples arrive, and the same file again', async () => {
  const packetsOf = (file: Buffer) => readPages(file).flatMap(({ packets }) => packets)
  const [first, second, odd] = [
    await write(1, [4800]),
    await write(1, [4800]),
    await write(1, [7, 1001, 480]),
  ]
  expect(second.file).toEqual(first.file)
  expect(packetsOf(odd.file)).toEqual(packetsOf(first.file))
})

test('gives each frame as soon as it is whole', async () => {
  const { parts } = await write(0.1, [480])
  expect(parts.slice(0, 5).every(({ length }) => length > 0)).toBe(true)
})

test.each([16, 24, 48])('keeps to %i kbit/s', async (kbps) => {
  const { file } = await write(10, [4800], kbps)
  expect((file.length * 8) / 10_000).toBeLessThan(kbps * 1.15)
})
