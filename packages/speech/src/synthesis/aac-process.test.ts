import { measureTruePeak } from '@vaani/pcm-audio'
import { runTool } from '@vaani/test-services/run-tool'
import { afterAll, describe, expect, test } from 'vitest'
import { SpeechError } from '../speech-error.ts'
import { startAacProcess } from './aac-process.ts'
import { createRenderPool } from './render-pool.ts'
import { speechLike } from './test/speech-like.ts'

const RATE_HZ = 24_000
const renderers = createRenderPool({ threads: 1 })
afterAll(() => renderers.close())

const failing = (code: string) => (error: unknown) => error instanceof SpeechError && error.code === code

async function encode(samples: Int16Array<ArrayBuffer>, piece: number): Promise<Buffer> {
  const stream = await renderers.openStream({ format: 'aac', model: 'synth-l2' })
  const parts: Uint8Array[] = []
  for (let at = 0; at < samples.length; at += piece)
    parts.push(await stream.render(samples.slice(at, at + piece)))
  parts.push(await stream.finish())
  stream.close()
  return Buffer.concat(parts)
}

describe('with ffmpeg', { tags: 'ffmpeg' }, () => {
  test('AAC decodes to the same speech, below the highest peak', async () => {
    const samples = speechLike({ seconds: 4, sampleRateHz: RATE_HZ, amplitude: 15_000 })
    const file = await encode(samples, 4800)
    const bytes = runTool(
      'ffmpeg',
      ['-f', 'aac', '-i', '-', '-ar', String(RATE_HZ), '-f', 's16le', '-'],
      file,
    )
    const decoded = new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
    // The delay of the encoder, and a last frame that is filled up: at most three of 43 ms.
    const excess = (decoded.length - samples.length) / RATE_HZ
    expect(excess).toBeGreaterThanOrEqual(0)
    expect(excess).toBeLessThan(0.13)
    expect(measureTruePeak(decoded, { channels: 1 })).toBeLessThan(-1)
  })

  test('is the same however the samples arrive', async () => {
    const samples = speechLike({ seconds: 1, sampleRateHz: RATE_HZ })
    expect(await encode(samples, 777)).toEqual(await encode(samples, 24_000))
  })

  test('a process that was closed fails, and leaves its place to others', async () => {
    const process = await startAacProcess({ kbps: 24, program: 'ffmpeg' })
    process.close()
    await expect(process.finish()).rejects.toSatisfy(failing('engine_failed'))
    await expect(process.encode(new Uint8Array(2))).rejects.toSatisfy(failing('engine_failed'))
  })

  test('a tenant has a share of the processes', async () => {
    const open = (tenant: string) => renderers.openStream({ format: 'aac', model: 'synth-v1', tenant })
    const openShare = (tenant: string) => Promise.all(Array.from({ length: 8 }, () => open(tenant)))
    const streams = await openShare('busy')
    await expect(open('busy')).rejects.toSatisfy(failing('too_many_encoders'))
    for (const tenant of ['b', 'c', 'd']) streams.push(...(await openShare(tenant)))
    await expect(open('busy')).rejects.toSatisfy(failing('too_many_encoders'))
    await expect(open('other')).rejects.toSatisfy(failing('engine_busy'))
    for (const stream of streams) stream.close()
    const again = await open('busy')
    again.close()
  })
})

test('says so if ffmpeg is not installed', async () => {
  const pool = createRenderPool({ threads: 1, ffmpeg: 'ffmpeg-that-is-not-there' })
  const open = () => pool.openStream({ format: 'aac', model: 'synth-v1', tenant: 'a' })
  for (let times = 0; times < 10; times++) await expect(open()).rejects.toSatisfy(failing('encoder_missing'))
  await pool.close()
})
