/**
 * `pnpm bench queue`: how long the queue of reviews takes to list by each filter, to count, and to claim from, with ten thousand and
 * with a million reviews of one account, interleaved on one Postgres. The median, and the slowest of all runs.
 */
import { createIdMaker, firstIdAt } from '@vaani/service-kit/ids'
import { POLICIES } from '@vaani/identity-checks/policies'
import type { Db } from '@vaani/service-kit/database/connect'
import type pg from 'pg'
import { createDecisionStore } from '../src/features/identity/decision-store.ts'
import { createQueueStore, type QueueQuery } from '../src/features/identity/review/queue-store.ts'
import { createReviewStore } from '../src/features/identity/review/review-store.ts'
import { median } from './api/load.ts'
import { startSizedDatabases } from './sized-databases.ts'

const FEW = 10_000
const MANY = Number(process.env['ROWS'] ?? 1_000_000)
const ROUNDS = 50
/** Rows of one statement, which has a time limit. */
const CHUNK = 10_000
const ACCOUNT = firstIdAt('account', 0)
const START_MS = Date.UTC(2026, 0, 1)
const clock = { nowMs: () => Date.UTC(2026, 5, 1) }
const tenant = { accountId: ACCOUNT, livemode: true }

/** One in ten waits for the person, the oldest among them. Rare values come last, where a scan in order finds them latest. */
async function fill(pool: pg.Pool, rows: number): Promise<void> {
  await pool.query(
    `insert into accounts (account_id, name, tier, operator, created_at) values ($1, 'Bench', 'pro', false, now())`,
    [ACCOUNT],
  )
  let nowMs = START_MS
  const makeId = createIdMaker({ nowMs: () => (nowMs += 1000) })
  for (let done = 0; done < rows; done += CHUNK)
    await pool.query(
      `insert into verifications
         (verification_id, account_id, version, status, livemode, external_id, store_media, artifacts, policy, reasons, created_at,
          awaits_person, claim_key_id, claim_reviewer, claim_expires_at)
       select id, $1, 2, 'review', true, 'person ' || i % (${rows} / 2), true, '[]',
         case when i > ${rows} - 5 then 'rare' when i % 3 = 0 then 'default' else 'document-only' end,
         json_build_array(json_build_object('code', 'liveness_unsure'),
           json_build_object('code', case when i > ${rows} - 5 then 'rare' else 'reason_' || i % 20 end)),
         to_timestamp(${START_MS / 1000} + i), i <= ${rows} / 10,
         case when is_claimed then 'key_bench' end, case when is_claimed then 'staff-' || i % 7 end,
         case when is_claimed then to_timestamp(${clock.nowMs() / 1000} + case when i > ${rows} - 5000 then 60 else -60 end) end
       from unnest($2::text[]) with ordinality as given (id, place),
         lateral (select place + ${done} as i) as numbered, lateral (select i % 100 = 0 as is_claimed) as claim`,
      [ACCOUNT, Array.from({ length: Math.min(CHUNK, rows - done) }, () => makeId('verification'))],
    )
  await pool.query('vacuum analyze verifications')
  await pool.query('vacuum analyze review_reasons')
}

const policyNamed = (name: string) => {
  const policy = POLICIES[name] ?? POLICIES['default']
  if (policy === undefined) throw new Error('There is no default policy')
  return { ...policy, reviewWithinHours: 24 }
}

const FILTERS: Readonly<Record<string, Partial<QueueQuery>>> = {
  'the oldest 20': {},
  'that nobody works on': { isClaimed: false },
  'that somebody works on': { isClaimed: true },
  'of one reviewer': { claimedBy: 'staff-0' },
  'with a frequent reason': { reason: 'liveness_unsure' },
  'with a rare reason': { reason: 'rare' },
  'with a reason that none has': { reason: 'none' },
  'of a rare policy': { policy: 'rare' },
  'with a frequent reason, of a rare policy': { reason: 'liveness_unsure', policy: 'rare' },
  'with a rare reason, of a frequent policy': { reason: 'rare', policy: 'default' },
  'of one person': { externalId: 'person 7' },
  'of one person, with a rare reason': { externalId: 'person 7', reason: 'rare' },
  'of one person, with a frequent reason': { externalId: 'person 7', reason: 'liveness_unsure' },
  'of one reviewer, with a rare reason': { claimedBy: 'staff-0', reason: 'rare' },
  'of an age': {
    createdAfter: new Date(START_MS + 5_000_000),
    createdBefore: new Date(START_MS + 6_000_000),
  },
  'that wait for the person': { waitingFor: 'person' },
}

type Step = (database: Db) => Promise<unknown>
const queueOf = (database: Db) => createQueueStore({ database, clock, policyNamed })
const STEPS: Readonly<Record<string, Step>> = {
  ...Object.fromEntries(
    Object.entries(FILTERS).map(([what, filter]): [string, Step] => [
      `list ${what}`,
      (database) => queueOf(database).list({ tenant, limit: 21, waitingFor: 'reviewer', ...filter }),
    ]),
  ),
  'count all': (database) => queueOf(database).counts(tenant),
  'claim the next': claimNext,
}

/** Claims a review, and gives it back. */
async function claimNext(database: Db): Promise<void> {
  const makeId = createIdMaker(clock)
  const store = createDecisionStore({ database, clock, makeId, onEvents: () => undefined })
  const reviews = createReviewStore({ database, store, clock, makeId, policyNamed })
  const person = { keyId: firstIdAt('key', 0), reviewer: null, isVouched: false }
  const row = await reviews.claimNext(tenant, person)
  if (row === undefined) throw new Error('No review is free')
  await reviews.release(tenant, row.verification_id, person)
}

await using databases = await startSizedDatabases()
const few = await databases.prepare(FEW, fill)
const many = await databases.prepare(MANY, fill)
const table: Record<string, string>[] = []
for (const [what, step] of Object.entries(STEPS)) {
  const times = { few: [] as number[], many: [] as number[] }
  for (let round = 0; round < ROUNDS; round++)
    for (const [size, database] of [
      ['few', few],
      ['many', many],
    ] as const) {
      const startMs = performance.now()
      await step(database)
      times[size].push(performance.now() - startMs)
    }
  table.push({
    reviews: what,
    [`of ${FEW}, ms`]: median(times.few).toFixed(1),
    [`of ${MANY}, ms`]: median(times.many).toFixed(1),
    'slowest, ms': `${Math.max(...times.few).toFixed(0)} and ${Math.max(...times.many).toFixed(0)}`,
  })
}
console.table(table)
