import { setTimeout as delay } from 'node:timers/promises'
import type { Source } from './sources.ts'
import { percentile, printTable } from './statistics.ts'

const CASES = [
  { atOnce: 1, rounds: 60 },
  { atOnce: 10, rounds: 20 },
  { atOnce: 50, rounds: 8 },
] as const
const PAUSE_MS = 100

/** Measures the delay of the first audio of streams that begin together. The sources take turns. */
export async function measureFirstByte(sources: readonly Source[]): Promise<void> {
  // Warm up: the JIT is still compiling in a server that has just started.
  for (const source of sources) for (let round = 0; round < 20; round++) await firstBytes(source, 10)
  const rows = []
  for (const { atOnce, rounds } of CASES) {
    const times = new Map<Source, number[]>(sources.map((source) => [source, []]))
    for (let round = 0; round < rounds; round++)
      for (const [source, measured] of times) {
        measured.push(...(await firstBytes(source, atOnce)))
        await delay(PAUSE_MS)
      }
    for (const [{ name }, measured] of times)
      rows.push([
        atOnce,
        name,
        percentile(measured, 0.5).toFixed(1),
        percentile(measured, 0.99).toFixed(1),
        Math.max(...measured).toFixed(1),
        measured.length,
      ])
  }
  console.log('\nFirst audio of streams that begin together\n')
  printTable(['at once', 'source', 'p50, ms', 'p99, ms', 'worst, ms', 'streams'], rows)
}

const firstBytes = (source: Source, atOnce: number): Promise<number[]> =>
  Promise.all(Array.from({ length: atOnce }, () => firstByte(source)))

async function firstByte(source: Source): Promise<number> {
  const startMs = performance.now()
  for await (const _ of source.open()) return performance.now() - startMs
  throw new Error(`${source.name} gave no audio`)
}
