/**
 * `pnpm bench shares`: measures how long a single submission of one account takes to be decided while another account submits a
 * hundred, against its time alone. Bursts are interleaved, each on its own server. The hundred are passports, or pages of dense
 * text, the slowest input found.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Verification } from '@vaani/contracts'
import { median } from './api/load.ts'
import { drawDensePage, drawDensePassport } from './kyc/dense-pages.ts'
import { type Server, startServer, stopServer } from './kyc/start-server.ts'

/** `pnpm bench shares dense 1` runs only the bursts whose name contains "dense", once each. */
const [only = '', rounds = '3'] = process.argv.slice(2)
const ROUNDS = Number(rounds)
const BURST = 100
/** Single submissions, one after another: before the burst, and from its start. */
const SINGLES = { alone: 3, meanwhile: 4 }
const OPERATOR_KEY = 'sk_live_bench_0123456789abcdef'
const POLL_MS = 50
const specimens = path.resolve(import.meta.dirname, '../../../packages/identity-checks/specimens')

const passport = await readFile(path.join(specimens, 'passport.jpg'))
const video = await readFile(path.join(specimens, 'liveness.mp4'), 'base64')
const toBody = (front: Buffer, back?: Buffer) =>
  Buffer.from(
    JSON.stringify({
      front_image_b64: front.toString('base64'),
      liveness_video_b64: video,
      ...(back && { back_image_b64: back.toString('base64') }),
    }),
  )
const single = toBody(passport)
const densePage = await drawDensePage()
const bursts = {
  passports: single,
  'dense text with a machine-readable zone': toBody(await drawDensePassport(passport), densePage),
  'dense text on both sides': toBody(densePage, densePage),
}

async function call<Body>(
  server: Server,
  route: string,
  key: string,
  body?: string | Buffer<ArrayBuffer>,
): Promise<Body> {
  const response = await fetch(`${server.url}${route}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body }),
  })
  if (!response.ok) throw new Error(`${route}: ${response.status} ${await response.text()}`)
  return (await response.json()) as Body
}

/** Creates an account and returns a live key for it. */
async function createAccount(server: Server, name: string): Promise<string> {
  const post = <Body>(route: string, body: object) =>
    call<Body>(server, route, OPERATOR_KEY, JSON.stringify(body))
  const account = await post<{ account_id: string }>('/admin/accounts', { name, tier: 'enterprise' })
  const key = await post<{ key: string }>('/admin/keys', {
    account_id: account.account_id,
    name,
    scopes: ['identity:write', 'identity:read'],
  })
  return key.key
}

/** Measures the milliseconds from the first byte sent until the decision. */
async function timeSingle(server: Server, key: string): Promise<number> {
  const startMs = performance.now()
  const sent = await call<Verification>(server, '/identity/kyc/v2', key, single)
  for (;;) {
    const { data } = await call<{ data: Verification[] }>(server, '/identity/verifications?limit=1', key)
    const [latest] = data
    if (latest?.verification_id === sent.verification_id && latest.status !== 'pending') break
    await delay(POLL_MS)
  }
  return performance.now() - startMs
}

async function timeSingles(server: Server, key: string, count: number): Promise<number[]> {
  const all: number[] = []
  for (let index = 0; index < count; index++) all.push(await timeSingle(server, key))
  return all
}

async function measure(burst: Buffer<ArrayBuffer>) {
  const folder = await mkdtemp(path.join(tmpdir(), 'vaani-bench-shares-'))
  const server = await startServer(['--conditions=vaani-source', 'apps/server/src/main.ts'], {
    PORT: '0',
    LOG_LEVEL: 'error',
    VAANI_BOOTSTRAP_API_KEY: OPERATOR_KEY,
    VAANI_DATA_DIR: path.join(folder, 'data'),
  })
  try {
    const one = await createAccount(server, 'one')
    const many = await createAccount(server, 'many')
    // Warm up, so that every process has loaded what it needs.
    await Promise.all([timeSingle(server, one), timeSingle(server, many)])
    const alone = median(await timeSingles(server, one, SINGLES.alone))
    const answers = { taken: 0, refused: 0 }
    const sent = Array.from({ length: BURST }, () =>
      call(server, '/identity/kyc/v2', many, burst).then(
        () => answers.taken++,
        () => answers.refused++,
      ),
    )
    const meanwhile = await timeSingles(server, one, SINGLES.meanwhile)
    const pending = '/identity/verifications?limit=100&status=pending'
    const left = (await call<{ data: Verification[] }>(server, pending, many)).data.length
    const { taken, refused } = answers
    const waiting = BURST - taken - refused
    if (left + waiting === 0) throw new Error('The burst ended before the single submissions')
    await stopServer(server)
    await Promise.allSettled(sent)
    return { alone, first: meanwhile[0] ?? Number.NaN, rest: median(meanwhile.slice(1)), refused }
  } finally {
    if (server.child.exitCode === null) await stopServer(server)
    await rm(folder, { recursive: true, force: true })
  }
}

const measured = new Map<string, Awaited<ReturnType<typeof measure>>[]>()
for (let round = 0; round < ROUNDS; round++)
  for (const [name, burst] of Object.entries(bursts)) {
    if (!name.includes(only)) continue
    measured.set(name, [...(measured.get(name) ?? []), await measure(burst)])
  }
const middle = (values: readonly number[]) => median([...values])
console.table(
  Object.fromEntries(
    [...measured].map(([name, all]) => [
      `${BURST} of ${name}`,
      {
        'alone, ms': Math.round(middle(all.map(({ alone }) => alone))),
        'as the burst begins, ms': Math.round(middle(all.map(({ first }) => first))),
        'of alone': middle(all.map(({ first, alone }) => first / alone)).toFixed(2),
        'later, ms': Math.round(middle(all.map(({ rest }) => rest))),
        'later of alone': middle(all.map(({ rest, alone }) => rest / alone)).toFixed(2),
        'rejected from the burst': middle(all.map(({ refused }) => refused)),
      },
    ]),
  ),
)
console.log(`medians of ${ROUNDS} bursts each, on ${availableParallelism()} processors`)
