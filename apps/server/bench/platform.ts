/**
 * `pnpm bench platform`: measures what the server adds to the server of a chat model, beside a bare undici pass-through and the
 * model itself, in turns of one run: requests a second of whole answers, and the delay of the first and each later chunk with 1
 * and 100 streams at once. Each measurement directly follows an unmeasured one, so that code is warm and connections are open.
 * The pass-through comes with `pipeline` and with `pipe`, which is faster. Portkey's open gateway stands beside the whole answers
 * if VAANI_BENCH_PORTKEY names a folder with it from npm (`npm install @portkey-ai/gateway`: MIT, 25 MB); its streams are 500 on
 * Node 24. Runs the built server: `pnpm build` first.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  createTarget,
  type Delays,
  measureRate,
  measureStreams,
  p50,
  p99,
  type Target,
} from './platform/measure.ts'
import { PORTKEY_FOLDER, portkeyHeaders, startPortkey } from './platform/start-portkey.ts'
import { startProcess } from './platform/start-process.ts'
import { startServer } from './speech/server.ts'
import { median, printTable } from './speech/statistics.ts'

const CALLERS = 32
const ROUNDS = 9
const ROUND_SECONDS = 1.5
const STREAMS = [1, 100]

await using upstream = await startProcess('upstream.ts')
await using passThrough = await startProcess('pass-through.ts', { UPSTREAM: upstream.url })
await using fastest = await startProcess('pass-through.ts', { UPSTREAM: upstream.url, PIPE: '1' })
await using portkey = await startPortkey()
const folder = await mkdtemp(path.join(tmpdir(), 'vaani-platform-'))
const file = path.join(folder, 'upstreams.json')
await writeFile(
  file,
  JSON.stringify({ upstreams: { model: { base_url: `${upstream.url}/v1`, models: ['chat'] } } }),
)
await using server = await startServer({ VAANI_CHAT_UPSTREAMS_FILE: file })
await rm(folder, { recursive: true })

const connections = Math.max(CALLERS, ...STREAMS)
await using direct = createTarget('the model alone', upstream.url, connections)
await using bare = createTarget('undici pass-through', passThrough.url, connections)
await using piped = createTarget('undici pass-through, `pipe`', fastest.url, connections)
await using own = createTarget('Vaani', server.url, connections, {
  authorization: `Bearer ${server.key}`,
})
await using theirs =
  portkey && createTarget('Portkey', portkey.url, connections, portkeyHeaders(upstream.url))
const ours: readonly Target[] = [direct, bare, piped, own]
const all = theirs ? [...ours, theirs] : ours
if (theirs === null) console.log(`Without Portkey: ${PORTKEY_FOLDER} names no folder.`)

/** Runs the measurement for each target in turn, several times, and twice each time, of which the second counts. */
async function inTurns<Value>(
  targets: readonly Target[],
  measure: (target: Target) => Promise<Value>,
): Promise<Map<Target, Value[]>> {
  const found = new Map<Target, Value[]>(targets.map((target) => [target, []]))
  for (let round = 0; round < ROUNDS; round++)
    for (const target of targets) {
      await measure(target)
      found.get(target)?.push(await measure(target))
    }
  return found
}

const rates = await inTurns(all, (target) => measureRate(target, CALLERS, ROUND_SECONDS))
/** Each round is compared with that of the pass-through beside it. */
const ratioTo = (base: Target, target: Target) =>
  median((rates.get(target) ?? []).map((rate, round) => rate / (rates.get(base)?.[round] ?? Number.NaN)))
console.log(`\nWhole answers, ${CALLERS} callers, median of ${ROUNDS} rounds of ${ROUND_SECONDS} s:\n`)
printTable(
  ['', 'requests/s', 'of the pass-through', 'of that with `pipe`'],
  all.map((target) => [
    target.name,
    median(rates.get(target) ?? []).toFixed(0),
    ratioTo(bare, target).toFixed(2),
    ratioTo(piped, target).toFixed(2),
  ]),
)

for (const streams of STREAMS) {
  const delays = await inTurns(ours, (target) => measureStreams(target, streams))
  const rowOf = (target: Target, member: keyof Delays) => {
    const at = (percentile: typeof p50) =>
      median((delays.get(target) ?? []).map((round) => percentile(round[member])))
    return [at(p50), at(p99)]
  }
  const base = { firstMs: rowOf(direct, 'firstMs'), laterMs: rowOf(direct, 'laterMs') }
  console.log(`\n${streams} streams at once, ms added to the model alone, median of ${ROUNDS} rounds:\n`)
  printTable(
    ['', 'first chunk p50', 'p99', 'later chunks p50', 'p99'],
    ours.map((target) => [
      target.name,
      ...(['firstMs', 'laterMs'] as const).flatMap((member) =>
        rowOf(target, member).map((ms, index) => (ms - (base[member][index] ?? 0)).toFixed(2)),
      ),
    ]),
  )
}
