import { setTimeout as delay } from 'node:timers/promises'
import type { BenchServer } from './server.ts'
import type { Source } from './sources.ts'
import { printTable } from './statistics.ts'

const BYTES_PER_MS = 32
const LISTENING_MS = 6000
/** What a player keeps. It reads on when there is room. */
const BUFFER_MS = 200
const LISTENERS = [50, 100, 200, 400] as const

/** Reads streams at the pace of a listener. A gap is audio that had not arrived when it was due. */
export async function measureRealTime(sources: readonly Source[], server: BenchServer): Promise<void> {
  const rows = []
  for (const listeners of LISTENERS)
    for (const source of sources) {
      const cpuBefore = server.cpuSeconds()
      const startMs = performance.now()
      const heard = await Promise.all(
        Array.from({ length: listeners }, async (_, index) => {
          await delay((index * 1000) / listeners)
          return listen(source)
        }),
      )
      const cores = (server.cpuSeconds() - cpuBefore) / ((performance.now() - startMs) / 1000)
      rows.push([
        listeners,
        source.name,
        heard.filter(({ gaps }) => gaps > 0).length,
        Math.max(...heard.map(({ worstLateMs }) => worstLateMs)).toFixed(0),
        cores.toFixed(2),
        (listeners / cores).toFixed(0),
      ])
    }
  console.log('\nStreams at the pace of a listener\n')
  printTable(
    ['streams', 'source', 'with a gap', 'worst lateness, ms', 'cores of the server', 'streams a core'],
    rows,
  )
}

async function listen(source: Source): Promise<{ gaps: number; worstLateMs: number }> {
  let gaps = 0
  let worstLateMs = 0
  let bytes = 0
  let startMs: number | undefined
  for await (const chunk of source.open()) {
    const nowMs = performance.now()
    startMs ??= nowMs
    const lateMs = nowMs - startMs - bytes / BYTES_PER_MS
    if (lateMs > 0) gaps++
    worstLateMs = Math.max(worstLateMs, lateMs)
    bytes += chunk.byteLength
    if (nowMs - startMs > LISTENING_MS) break
    const aheadMs = bytes / BYTES_PER_MS - (performance.now() - startMs)
    if (aheadMs > BUFFER_MS) await delay(aheadMs - BUFFER_MS)
  }
  return { gaps, worstLateMs }
}
