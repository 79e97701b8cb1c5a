import { setTimeout as delay } from 'node:timers/promises'
import type { BenchServer } from './server.ts'
import { LONG_TEXT, type Source } from './sources.ts'
import { printTable } from './statistics.ts'

const READERS = 50
/** While the buffers of the server and of its connections fill. */
const FILLING_MS = 24_000
/** Both together are less than the server waits for a reader that reads nothing. */
const STUCK_MS = 4000

/** Opens streams whose readers stop after the first audio, and reads the memory of the server. */
export async function measureSlowReaders(sources: readonly Source[], server: BenchServer): Promise<void> {
  const rows = []
  for (const source of sources) {
    const before = server.residentMb()
    const cpuBefore = server.cpuSeconds()
    const open = await Promise.all(
      Array.from({ length: READERS }, async () => {
        const audio = source.open(LONG_TEXT)[Symbol.asyncIterator]()
        await audio.next()
        return audio
      }),
    )
    await delay(FILLING_MS)
    const filledCpu = server.cpuSeconds()
    await delay(STUCK_MS)
    const held = server.residentMb() - before
    const idle = (server.cpuSeconds() - filledCpu) / (STUCK_MS / 1000)
    await Promise.all(open.map((audio) => audio.return?.()))
    rows.push([
      source.name,
      READERS,
      before.toFixed(0),
      ((1024 * held) / READERS).toFixed(0),
      (filledCpu - cpuBefore).toFixed(2),
      idle.toFixed(3),
    ])
  }
  console.log('\nReaders that stop after the first audio\n')
  printTable(
    [
      'source',
      'readers',
      'server before, MB',
      'more for each, kB',
      'processor until the buffers are full, s',
      'cores from then on',
    ],
    rows,
  )
}
