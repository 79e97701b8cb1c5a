/** Opens randomly corrupted pictures and videos, from a seed. Each must give a result or a `MediaError` in bounded time. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { runTool } from '@vaani/test-services/run-tool'
import { thorough } from '@vaani/test-services/thorough'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openImage } from '../image/open-image.ts'
import { MediaError } from './media-error.ts'
import { createVideoProbe } from '../runner/create-video-probe.ts'

const SAMPLES = thorough({ usual: 150, long: 1000 })

/** Mulberry32. */
function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Flips, overwrites, truncates, repeats or removes bytes, mostly near the start, where formats have their headers. */
function spoil(original: Uint8Array, random: () => number): Uint8Array {
  let bytes = Uint8Array.from(original)
  const near = () => Math.floor((random() < 0.6 ? random() ** 3 : random()) * bytes.length)
  const changes = 1 + Math.floor(random() * 6)
  for (let change = 0; change < changes; change++) {
    const at = near()
    const length = Math.floor(random() * 64)
    switch (Math.floor(random() * 6)) {
      case 0:
        bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8))
        break
      case 1:
        for (let index = at; index < at + length && index < bytes.length; index++)
          bytes[index] = random() * 256
        break
      case 2:
        bytes.fill(random() < 0.5 ? 0xff : 0, at, at + length)
        break
      case 3:
        bytes = bytes.slice(0, Math.max(1, at))
        break
      case 4:
        bytes = Uint8Array.from([...bytes.subarray(0, at), ...bytes.subarray(at + length)])
        break
      default:
        bytes = Uint8Array.from([...bytes.subarray(0, at + length), ...bytes.subarray(at)])
    }
  }
  return bytes
}

async function outcomeOf(run: () => Promise<unknown>): Promise<'taken' | 'refused'> {
  try {
    await run()
    return 'taken'
  } catch (error) {
    expect(error).toBeInstanceOf(MediaError)
    return 'refused'
  }
}

describe('images', () => {
  test(`accepts or refuses each of ${SAMPLES} corrupted images`, async () => {
    const pixels = Buffer.alloc(240 * 220 * 3, 7).map((_, index) => (index * 31) % 251)
    const drawn = sharp(pixels, { raw: { width: 240, height: 220, channels: 3 } })
    const originals = [
      await drawn
        .clone()
        .jpeg({ quality: 60 })
        .withExif({ IFD0: { Copyright: 'x' } })
        .toBuffer(),
      await drawn.clone().jpeg({ progressive: true }).toBuffer(),
      await drawn.clone().png().toBuffer(),
      await drawn.clone().webp().toBuffer(),
    ]
    const random = seededRandom(20_261_121)
    const outcomes = { taken: 0, refused: 0 }
    for (let sample = 0; sample < SAMPLES; sample++) {
      const bytes = spoil(originals[sample % originals.length] ?? new Uint8Array(1), random)
      outcomes[await outcomeOf(() => openImage(bytes))]++
    }
    // Both outcomes occur, so the corruption is neither too weak nor too strong to be a useful test.
    expect(outcomes.taken).toBeGreaterThan(SAMPLES / 50)
    expect(outcomes.refused).toBeGreaterThan(SAMPLES / 4)
    await expect(openImage(originals[0] ?? new Uint8Array(1))).resolves.toMatchObject({ width: 240 })
  })
})
describe('videos', { tags: 'ffmpeg' }, () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'vaani-fuzz-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test(`measures or refuses each of ${SAMPLES} corrupted videos`, async () => {
    const source = ['-f', 'lavfi', '-i', 'testsrc2=size=64x48:rate=8', '-t', '3']
    const originals: Buffer[] = []
    for (const [name, ...codec] of [
      ['video.mp4', '-c:v', 'libx264', '-pix_fmt', 'yuv420p'],
      ['fast.mp4', '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-movflags', '+faststart'],
      ['video.mov', '-c:v', 'libx264', '-pix_fmt', 'yuv420p'],
      ['video.webm', '-c:v', 'libvpx', '-b:v', '50k'],
    ] as const) {
      const file = path.join(folder, name)
      runTool('ffmpeg', [...source, ...codec, file])
      originals.push(await readFile(file))
    }
    const random = seededRandom(42)
    const file = path.join(folder, 'spoiled')
    // Tighter limits than a server's, because some of these files keep a process busy forever.
    await using probe = createVideoProbe({ limits: { probe_video: { processorMs: 500, memoryMb: 1024 } } })
    const outcomes = { taken: 0, refused: 0 }
    for (let sample = 0; sample < SAMPLES; sample++) {
      await writeFile(file, spoil(originals[sample % originals.length] ?? new Uint8Array(1), random))
      outcomes[await outcomeOf(() => probe.probe(file))]++
    }
    expect(outcomes.taken).toBeGreaterThan(SAMPLES / 50)
    expect(outcomes.refused).toBeGreaterThan(SAMPLES / 4)
    await expect(probe.probe(path.join(folder, 'video.mp4'))).resolves.toMatchObject({ codec: 'avc' })
  })
})
