/** Waits for a pool whose threads cannot start, with nothing else to keep the process alive, and prints the outcome. */
import { createPool } from '../pool.ts'

const pool = createPool({ workers: 2, workerUrl: new URL('./failing-worker.ts', import.meta.url) })
const parameters = { rate: 175, pitch: 50, range: 50, volume: 85 }
pool.add(
  {
    job: { id: 1, text: 'Hello', voice: 'en-us+f3', parameters, gainDb: 0 },
    tenant: 'a',
    onChunk: () => undefined,
    onEnd: (error) => void process.stdout.write(error?.code ?? 'spoken'),
  },
  'first',
)
