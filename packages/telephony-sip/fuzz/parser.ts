/**
 * Spoils SIP messages and parses them. Exits with 1 if the parser throws what is not its own error, breaks a promise, or needs more
 * steps than its input grows.
 *
 *     node --conditions=vaani-source packages/telephony-sip/fuzz/parser.ts [messages] [seed]
 */
import process from 'node:process'
import { seededRandom } from '../test/seeded-random.ts'
import { drawMessage } from './corpus.ts'
import { measureGrowth } from './growth.ts'
import { judge, type Verdict } from './judge.ts'
import { mutate } from './mutate.ts'

const [messages = '100000', seed = '1'] = process.argv.slice(2)

interface Run {
  readonly verdicts: ReadonlyMap<Verdict, number>
  readonly longestMs: number
  readonly longestBytes: number
  readonly seconds: number
}

/** Prints a message that broke the parser, so that it can become a test. */
const report = (index: number, bytes: Uint8Array, error: unknown): void => {
  console.error(`Message ${index} of seed ${seed}:`)
  console.error(JSON.stringify(new TextDecoder('latin1').decode(bytes)))
  console.error(error)
}

const timed = (bytes: Uint8Array): number => {
  const start = performance.now()
  judge(bytes, () => 0.5)
  return performance.now() - start
}

/** Repeats a slow message, because the first time may have been another process's. */
const REPEATS = 5

const parseMany = (count: number): Run | undefined => {
  const random = seededRandom(Number(seed))
  const verdicts = new Map<Verdict, number>()
  let longestMs = 0
  let longestBytes = 0
  const begin = performance.now()
  for (let index = 0; index < count; index++) {
    const bytes = mutate(drawMessage(random), drawMessage(random), random)
    const start = performance.now()
    try {
      const verdict = judge(bytes, random)
      verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1)
    } catch (error) {
      report(index, bytes, error)
      return undefined
    }
    const tookMs = performance.now() - start
    if (tookMs <= longestMs) continue
    const againMs = Math.min(...Array.from({ length: REPEATS }, () => timed(bytes)))
    if (againMs <= longestMs) continue
    longestMs = againMs
    longestBytes = bytes.length
  }
  return { verdicts, longestMs, longestBytes, seconds: (performance.now() - begin) / 1000 }
}

const growths = await measureGrowth()
console.log('Steps from 512 to 32768 characters, doubling:')
for (const { family, steps, ratio, isLinear } of growths) {
  console.log(`${isLinear ? '  ' : '! '}${family}: ${steps.join(' ')} (at most × ${ratio.toFixed(2)})`)
}

const run = parseMany(Number(messages))
if (run !== undefined) {
  console.log(`\n${messages} messages of seed ${seed} in ${run.seconds.toFixed(1)} s`)
  console.log(`Longest, checks included: ${run.longestMs.toFixed(2)} ms, for ${run.longestBytes} bytes`)
  for (const [verdict, count] of [...run.verdicts].toSorted(([, a], [, b]) => b - a)) {
    console.log(`${String(count).padStart(9)} ${verdict}`)
  }
}
process.exitCode = run === undefined || growths.some(({ isLinear }) => !isLinear) ? 1 : 0
