/** Closes a pool while an answer of its thread waits to be read. The process ends early if that answer lets it. */
import { createRenderPool } from '../render-pool.ts'

const pool = createRenderPool({ threads: 1 })
const file = pool.open({
  engineSampleRateHz: 16_000,
  model: 'synth-l1',
  format: 'wav',
  sampleRateHz: 16_000,
  lufs: -20,
})
await file.measure(new Int16Array(16_000).fill(1000, 0, 8000))
file.close()
// The thread answers meanwhile.
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
await pool.close()
process.stdout.write('closed\n')
