import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import { SpeechError } from '../speech-error.ts'
import type { RenderSettings } from './render-file.ts'
import { createRenderPool, type RenderPool } from './render-pool.ts'
import { speechLike } from './test/speech-like.ts'

const SETTINGS: RenderSettings = {
  engineSampleRateHz: 16_000,
  model: 'synth-l1',
  format: 'wav',
  sampleRateHz: 16_000,
  lufs: -20,
}
const BROKEN = new URL('./test/broken-worker.ts', import.meta.url)
const speech = () => speechLike({ seconds: 1, sampleRateHz: 16_000 })
const isCode = (code: string) => (error: unknown) => error instanceof SpeechError && error.code === code

let pool: RenderPool
afterEach(() => pool.close())

test('renders more files at a time than it has threads, without mixing them', async () => {
  pool = createRenderPool({ threads: 2 })
  const files = await Promise.all(
    Array.from({ length: 6 }, async (_, index) => {
      const samples = speech().map((sample) => sample * (index % 2))
      const file = pool.open(SETTINGS)
      await file.measure(samples)
      const { bytes } = await file.measured()
      const parts = [await file.render(samples), await file.finish()]
      file.close()
      file.close()
      const rendered = Buffer.concat(parts)
      expect(rendered.length).toBe(bytes)
      return rendered
    }),
  )
  const [silent, loud, ...others] = files
  expect(silent?.equals(loud ?? Buffer.alloc(0))).toBe(false)
  for (const [index, file] of others.entries())
    expect(file.equals(files[index % 2] ?? Buffer.alloc(0))).toBe(true)
})

test('fails the files of a thread that ends, and starts another for the next', async () => {
  pool = createRenderPool({ threads: 1, workerUrl: BROKEN })
  const file = pool.open(SETTINGS)
  await file.measure(speech())
  await expect(file.measured()).rejects.toSatisfy(isCode('engine_failed'))
  await expect(file.measure(speech())).rejects.toSatisfy(isCode('engine_failed'))
  file.close()
  await pool.open(SETTINGS).measure(speech())
})

test('ends a thread that hangs', async () => {
  pool = createRenderPool({ threads: 1, workerUrl: BROKEN, requestLimitMs: 500 })
  const file = pool.open(SETTINGS)
  await file.measure(speech())
  await expect(file.finish()).rejects.toSatisfy(isCode('engine_failed'))
})

test('reports speech that differs in the second pass', async () => {
  pool = createRenderPool({ threads: 1 })
  const file = pool.open(SETTINGS)
  await file.measure(speech())
  await file.measured()
  await file.render(speech().slice(1))
  await expect(file.finish()).rejects.toSatisfy(isCode('engine_failed'))
})

test('refuses a file if too many are open, until one is closed', () => {
  pool = createRenderPool({ threads: 1 })
  const files = Array.from({ length: 256 }, () => pool.open(SETTINGS))
  expect(() => pool.open(SETTINGS)).toThrow(SpeechError)
  files[0]?.close()
  pool.open(SETTINGS).close()
})

test('fails what is open when it is closed, and refuses more', async () => {
  pool = createRenderPool({ threads: 1 })
  const file = pool.open(SETTINGS)
  const measuring = file.measure(speech())
  const outcome = expect(measuring).rejects.toSatisfy(isCode('engine_closed'))
  await pool.close()
  await pool.close()
  await outcome
  expect(() => pool.open(SETTINGS)).toThrow(SpeechError)
})

test('keeps the process alive until it is closed', async () => {
  const script = fileURLToPath(new URL('./test/close-while-answering.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=vaani-source', script])
  expect(stdout).toBe('closed\n')
})
