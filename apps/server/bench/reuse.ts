/**
 * `pnpm bench reuse`: how long a comparison with earlier submissions takes that holds the lock of its account, with ten thousand and
 * with a million digests of one account, interleaved on one Postgres. The median, and the slowest of all runs.
 */
import { createHash } from 'node:crypto'
import { byIndex } from '@vaani/service-kit/database/by-index'
import type { Db } from '@vaani/service-kit/database/connect'
import { firstIdAt } from '@vaani/service-kit/ids'
import type pg from 'pg'
import { findReuse, keepDigests, type Reuse } from '../src/features/identity/reuse.ts'
import { median } from './api/load.ts'
import { startSizedDatabases } from './sized-databases.ts'

const FEW = 10_000
const MANY = Number(process.env['ROWS'] ?? 1_000_000)
const ROUNDS = 200
const ACCOUNT = firstIdAt('account', 0)
const PARTS = 16

await using databases = await startSizedDatabases()

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest()
const partsOf = (name: string): Buffer[] =>
  Array.from({ length: PARTS }, (_, part) => digestOf(`${name} ${part}`))

/** Inserts digests `d` for verifications `n`, by SQL expressions. */
interface Filling {
  share: number
  digests: number
  digest: string
  verification: string
  externalId: string
}
const FILLINGS: readonly Filling[] = [
  // People of whom nothing is ever sent again.
  {
    share: 0.4,
    digests: 19,
    digest: `'new ' || n || ' ' || d`,
    verification: `n`,
    externalId: `'person ' || n`,
  },
  // One person who sends the same again and again.
  { share: 0.2, digests: 19, digest: `'same ' || d`, verification: `n`, externalId: `'same'` },
  // Pictures of many people that look the same, for example blank ones.
  { share: 0.2, digests: PARTS, digest: `'blank ' || d`, verification: `n`, externalId: `'person ' || n` },
  // Pictures of which many have each one of these parts, but none has two.
  {
    share: 0.2,
    digests: PARTS,
    digest: `'common ' || d`,
    verification: `n || '_' || d`,
    externalId: `'person ' || n`,
  },
]

async function fill(pool: pg.Pool, rows: number): Promise<void> {
  await pool.query(
    `insert into accounts (account_id, name, tier, operator, created_at) values ($1, 'Bench', 'pro', false, now())`,
    [ACCOUNT],
  )
  for (const [index, { share, digests, digest, verification, externalId }] of FILLINGS.entries())
    await pool.query(
      `insert into media_fingerprints (account_id, livemode, fingerprint, verification_id, external_id)
       select $1, true, sha256((${digest})::bytea), 'ver_${index}_' || ${verification}, ${externalId}
       from generate_series(1, ${Math.ceil((rows * share) / digests)}) n cross join generate_series(0, ${digests - 1}) d`,
      [ACCOUNT],
    )
  await pool.query('vacuum analyze media_fingerprints')
}

interface Submission {
  externalId: string | null
  document: Buffer
  likeness: readonly Buffer[]
  found: Reuse['code'] | null
}
const submissions: Readonly<Record<string, Submission>> = {
  'nothing in common': {
    externalId: 'somebody',
    document: digestOf('unknown'),
    likeness: partsOf('unknown'),
    found: null,
  },
  'a person who sent the same thousands of times': {
    externalId: 'same',
    document: digestOf('same 0'),
    likeness: partsOf('same'),
    found: null,
  },
  'a picture that thousands look like': {
    externalId: 'somebody',
    document: digestOf('unknown'),
    likeness: partsOf('blank'),
    found: 'media_resembles',
  },
  '… without external id': {
    externalId: null,
    document: digestOf('unknown'),
    likeness: partsOf('blank'),
    found: 'media_resembles',
  },
  'each part in common with thousands, of none enough': {
    externalId: 'person 50',
    document: digestOf('unknown'),
    likeness: partsOf('common'),
    found: null,
  },
}

/** Compares and stores a submission as a decision does, and undoes it. */
async function compareMs(database: Db, { externalId, document, likeness, found }: Submission) {
  const row = { account_id: ACCOUNT, livemode: true, verification_id: 'ver_bench', external_id: externalId }
  const digests = { document, likeness }
  const startMs = performance.now()
  const reuse = await byIndex(database, async (tx) => {
    const known = await findReuse(tx, row, digests)
    await keepDigests(tx, row, digests)
    return known
  })
  const tookMs = performance.now() - startMs
  if ((reuse?.code ?? null) !== found) throw new Error(`Found ${reuse?.code} instead of ${found}`)
  await database.deleteFrom('media_fingerprints').where('verification_id', '=', 'ver_bench').execute()
  return tookMs
}

const few = await databases.prepare(FEW, fill)
const many = await databases.prepare(MANY, fill)
const table: Record<string, string>[] = []
for (const [what, submission] of Object.entries(submissions)) {
  const times = { few: [] as number[], many: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    times.few.push(await compareMs(few, submission))
    times.many.push(await compareMs(many, submission))
  }
  table.push({
    'a submission with': what,
    [`${FEW} digests, ms`]: median(times.few).toFixed(1),
    [`${MANY} digests, ms`]: median(times.many).toFixed(1),
    ratio: (median(times.many) / median(times.few)).toFixed(2),
    'slowest, ms': `${Math.max(...times.few).toFixed(0)} and ${Math.max(...times.many).toFixed(0)}`,
  })
}
console.table(table)
