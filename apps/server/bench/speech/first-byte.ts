import { setTimeout as delay } from 'node:timers/promises'
import type { BenchServer } from './server.ts'
import type { Source } from './sources.ts'
import { percentile, printTable } from './statistics.ts'

const CASES = [
  { atOnce: 1, rounds: 60 },
  { atOnce: 10, rounds: 20 },
  { atOnce: 50, rounds: 8 },
] as const
/** A round begins when those before it use no more than this share of a core, because streams that were left still end a phrase each. */
const RESTING_CORES = 0.2
const LOOK_MS = 100
const MAX_LOOKS = 50

/** What a player has in hand before it plays. */
const IN_HAND_MS = 100
const BYTES_PER_MS = 32
/** Audio that is read of each stream. */
const LISTENING_MS = 10_000

/**
 * Measures streams that begin together and are read as fast as they come: the delay of the first audio, and how many listeners hear a
 * gap who begin to play 100 ms after it. The sources take turns.
 */
export async function measureFirstByte(
  sources: readonly Source[],
  server: Pick<BenchServer, 'cpuSeconds'>,
): Promise<void> {
  // Warm up: the JIT is still compiling in a server that has just started.
  for (const source of sources) for (let round = 0; round < 20; round++) await listenAll(source, 10)
  const rows = []
  for (const { atOnce, rounds } of CASES) {
    const times = new Map<Source, Heard[]>(sources.map((source) => [source, []]))
    for (let round = 0; round < rounds; round++)
      for (const [source, measured] of times) {
        await source.prepare?.(atOnce)
        await waitForRest(server)
        measured.push(...(await listenAll(source, atOnce)))
      }
    for (const [{ name }, measured] of times) {
      const firsts = measured.map(({ firstMs }) => firstMs)
      rows.push([
        atOnce,
        name,
        percentile(firsts, 0.5).toFixed(1),
        percentile(firsts, 0.99).toFixed(1),
        Math.max(...firsts).toFixed(1),
        `${measured.filter(({ lateMs }) => lateMs > 0).length} of ${measured.length}`,
        Math.max(...measured.map(({ lateMs }) => lateMs)).toFixed(0),
      ])
    }
  }
  console.log('\nStreams that begin together, with 100 ms in hand before they are played\n')
  printTable(
    ['at once', 'source', 'first audio p50, ms', 'p99', 'worst', 'with a gap', 'longest gap, ms'],
    rows,
  )
}

async function waitForRest(server: Pick<BenchServer, 'cpuSeconds'>): Promise<void> {
  const usedSeconds = () => server.cpuSeconds() + (process.cpuUsage().user + process.cpuUsage().system) / 1e6
  for (let look = 0; look < MAX_LOOKS; look++) {
    const before = usedSeconds()
    await delay(LOOK_MS)
    if (usedSeconds() - before <= (RESTING_CORES * LOOK_MS) / 1000) return
  }
}

interface Heard {
  firstMs: number
  /** How long the listener waited in all for audio that was due. */
  lateMs: number
}
const listenAll = (source: Source, atOnce: number): Promise<Heard[]> =>
  Promise.all(Array.from({ length: atOnce }, () => listen(source)))

async function listen(source: Source): Promise<Heard> {
  const startMs = performance.now()
  let firstAtMs: number | undefined
  let [heardMs, lateMs] = [0, 0]
  for await (const chunk of source.open()) {
    const nowMs = performance.now()
    firstAtMs ??= nowMs
    lateMs = Math.max(lateMs, nowMs - firstAtMs - IN_HAND_MS - heardMs)
    heardMs += chunk.byteLength / BYTES_PER_MS
    if (heardMs > LISTENING_MS) break
  }
  if (firstAtMs === undefined) throw new Error(`${source.name} gave no audio`)
  return { firstMs: firstAtMs - startMs, lateMs }
}
