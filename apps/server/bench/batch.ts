/**
 * `pnpm bench batch`: measures how fast a batch is made beside a loop by hand that makes the same requests with as many callers,
 * in turns of one run, each batch a second after the loop, when the server expects no more callers, with a model that answers at
 * once, and with one that takes 20 ms; what batches of 100 to 10,000 requests do to memory; and what interactive requests wait
 * while a batch runs, beside the same requests without one. Runs the built server: `pnpm build` first.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import { startProcess } from './platform/start-process.ts'
import { type BenchServer, startServer } from './speech/server.ts'
import { median, percentile, printTable } from './speech/statistics.ts'

const CALLERS = 8
const ROUNDS = 5
const SLOW_MS = 20
const SIZES = [100, 1000, 10_000]
const BY_HAND = 10_000
const INTERACTIVE = 100
const INTERACTIVE_EVERY_MS = 75
const INTERACTIVE_ROUNDS = 3
/** A server that has just served callers expects more of them, and starts the chats of a batch apart. */
const CALLERS_GONE_MS = 1100
const SENTENCE = 'Good morning. Your appointment with the doctor is on Thursday at ten. '

const CHAT = {
  endpoint: '/v1/chat/completions',
  body: { model: 'chat', messages: [{ role: 'user', content: SENTENCE.repeat(5) }] },
}
const SYNTHESIS = {
  endpoint: '/v1/engine/synthesize',
  body: { model: 'synth-v1', text: SENTENCE, voice: 'default', language: 'en-US' },
}
const SPEECH = { endpoint: '/v1/audio/speech', body: { model: 'tts-1', voice: 'alloy', input: SENTENCE } }
/** Interactive requests, and the batch beside them. */
const PAIRS = [
  [CHAT, CHAT],
  [CHAT, SYNTHESIS],
  [SPEECH, CHAT],
  [SPEECH, SYNTHESIS],
  [SYNTHESIS, SYNTHESIS],
] as const
const SLOW_CHAT = { ...CHAT, body: { ...CHAT.body, model: 'slow-chat' } }
/** Requests of a batch, and of the loop beside it. */
const RATES = [
  ['at once', CHAT, 10_000],
  [`after ${SLOW_MS} ms`, SLOW_CHAT, 2000],
] as const
type Work = typeof CHAT | typeof SYNTHESIS | typeof SPEECH

await using upstream = await startProcess('upstream.ts')
await using slow = await startProcess('upstream.ts', { ANSWER_MS: `${SLOW_MS}` })
const folder = await mkdtemp(path.join(tmpdir(), 'vaani-batch-'))
const file = path.join(folder, 'upstreams.json')
await writeFile(
  file,
  JSON.stringify({
    upstreams: {
      model: { base_url: `${upstream.url}/v1`, models: ['chat'] },
      slow: { base_url: `${slow.url}/v1`, models: ['slow-chat'] },
    },
  }),
)
const environment = { VAANI_CHAT_UPSTREAMS_FILE: file }

interface Answer {
  batch_id: string
  status: string
  counts: { total: number; succeeded: number; failed: number }
}

function clientOf({ url, key }: BenchServer) {
  const pool = new Pool(url, { connections: CALLERS + 2 })
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
  const send = async (method: 'GET' | 'POST', target: string, body?: object) => {
    const answer = await pool.request({
      method,
      path: target,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.body.text()
    if (answer.statusCode >= 300) throw new Error(`${target} answered ${answer.statusCode}: ${text}`)
    return text
  }
  const read = async (batchId: string): Promise<Answer> =>
    JSON.parse(await send('GET', `/v1/batch/${batchId}`))
  return {
    ask: ({ endpoint, body }: Work) => send('POST', endpoint, body),
    async create({ endpoint, body }: Work, count: number): Promise<Answer> {
      const requests = Array.from({ length: count }, (_, index) => ({ custom_id: `${index}`, body }))
      return JSON.parse(await send('POST', '/v1/batch', { endpoint, requests }))
    },
    read,
    async ended(batchId: string): Promise<Answer> {
      for (;;) {
        const batch = await read(batchId)
        if (batch.status !== 'queued' && batch.status !== 'running') return batch
        await delay(100)
      }
    },
    cancel: (batchId: string) => send('POST', `/v1/batch/${batchId}/cancel`),
    results: (batchId: string) => send('GET', `/v1/batch/${batchId}/results`),
    close: () => pool.destroy(),
  }
}
type Client = ReturnType<typeof clientOf>

const rateSince = (startMs: number, count: number) => count / ((performance.now() - startMs) / 1000)

async function byHand(client: Client, work: Work, count: number): Promise<number> {
  const startMs = performance.now()
  let next = 0
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (next++ < count) await client.ask(work)
    }),
  )
  return rateSince(startMs, count)
}

async function asBatch(client: Client, work: Work, count: number): Promise<number> {
  const startMs = performance.now()
  const { batch_id } = await client.create(work, count)
  const { counts } = await client.ended(batch_id)
  if (counts.succeeded !== count) throw new Error(`Only ${counts.succeeded} of ${count} succeeded`)
  await client.results(batch_id)
  return rateSince(startMs, count)
}

{
  await using server = await startServer(environment)
  const client = clientOf(server)
  const rows: (string | number)[][] = []
  for (const [name, work, count] of RATES) {
    const rates: { hand: number; batch: number }[] = []
    await byHand(client, work, count)
    await asBatch(client, work, count)
    for (let round = 0; round < ROUNDS; round++) {
      const hand = await byHand(client, work, count)
      await delay(CALLERS_GONE_MS)
      rates.push({ hand, batch: await asBatch(client, work, count) })
    }
    rows.push([
      name,
      count,
      median(rates.map(({ hand }) => hand)).toFixed(0),
      median(rates.map(({ batch }) => batch)).toFixed(0),
      median(rates.map(({ hand, batch }) => batch / hand)).toFixed(2),
    ])
  }
  console.log(
    `\nChats a second, ${CALLERS} at a time, a batch from its upload to its results read, median of ${ROUNDS} rounds:\n`,
  )
  printTable(['the model answers', 'chats', 'a loop by hand', 'a batch', 'of the loop'], rows)
  await client.close()
}

/** Memory in MB before work and at its peak. */
async function memoryOf(server: BenchServer, work: () => Promise<unknown>): Promise<[string, string]> {
  const before = server.residentMb()
  let peak = before
  const timer = setInterval(() => (peak = Math.max(peak, server.residentMb())), 20)
  await work()
  clearInterval(timer)
  return [before.toFixed(0), peak.toFixed(0)]
}

const MEMORY_HEAD = ['requests', 'MB before', 'MB at the peak']
console.log('\nMemory of a fresh server, whose database is a process of its own:\n')
const fresh: (string | number)[][] = []
for (const size of [0, ...SIZES]) {
  await using server = await startServer(environment)
  const client = clientOf(server)
  await asBatch(client, CHAT, 100)
  fresh.push(
    size === 0
      ? [`${BY_HAND} by hand`, ...(await memoryOf(server, () => byHand(client, CHAT, BY_HAND)))]
      : [size, ...(await memoryOf(server, () => asBatch(client, CHAT, size)))],
  )
  await client.close()
}
printTable(MEMORY_HEAD, fresh)

console.log(`\nMemory of a server that has made ${2 * BY_HAND} chats for callers, batch after batch:\n`)
{
  await using server = await startServer(environment)
  const client = clientOf(server)
  await byHand(client, CHAT, 2 * BY_HAND)
  const warm: (string | number)[][] = []
  for (const size of SIZES) warm.push([size, ...(await memoryOf(server, () => asBatch(client, CHAT, size)))])
  printTable(MEMORY_HEAD, warm)
  await client.close()
}

/** What interactive requests take that come at a steady pace. */
async function latencies(client: Client, work: Work): Promise<number[]> {
  const taken: number[] = []
  const asked: Promise<void>[] = []
  for (let index = 0; index < INTERACTIVE; index++) {
    const startMs = performance.now()
    asked.push(client.ask(work).then(() => void taken.push(performance.now() - startMs)))
    await delay(INTERACTIVE_EVERY_MS)
  }
  await Promise.all(asked)
  return taken
}

console.log(
  `\nInteractive requests, one every ${INTERACTIVE_EVERY_MS} ms, ms, ${INTERACTIVE_ROUNDS} rounds of ${INTERACTIVE}:\n`,
)
{
  await using server = await startServer(environment)
  const client = clientOf(server)
  const rows: string[][] = []
  for (const [interactive, background] of PAIRS) {
    const without: number[] = []
    const beside: number[] = []
    const made: number[] = []
    await latencies(client, interactive)
    for (let round = 0; round < INTERACTIVE_ROUNDS; round++) {
      without.push(...(await latencies(client, interactive)))
      const { batch_id } = await client.create(background, 10_000)
      const startMs = performance.now()
      beside.push(...(await latencies(client, interactive)))
      const { status, counts } = await client.read(batch_id)
      made.push(rateSince(startMs, counts.succeeded))
      if (status !== 'completed') await client.cancel(batch_id)
    }
    const figures = (taken: readonly number[]) =>
      [0.5, 0.99].map((share) => percentile(taken, share).toFixed(1)).join(' / ')
    rows.push([
      interactive.endpoint,
      background.endpoint,
      figures(without),
      figures(beside),
      (percentile(beside, 0.99) / percentile(without, 0.99)).toFixed(2),
      median(made).toFixed(0),
    ])
  }
  printTable(
    ['interactive', 'batch of', 'without it, p50 / p99', 'beside it', 'p99 ratio', 'batch requests/s'],
    rows,
  )
  await client.close()
}
await rm(folder, { recursive: true })
