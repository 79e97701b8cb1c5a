import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Violations } from '@vaani/test-services/chaos'
import type pg from 'pg'
import { type Cluster, openEmbedded } from './cluster.ts'
import type { Submission } from './load.ts'

/** A pair waits at most for a callback that was lost with the process that received it. */
const QUIET_WITHIN_MS = 6 * 60_000

interface PairRow {
  pair_id: string
  kind: string
  outcome: string
  v1_id: string | null
  v2_id: string | null
  external_id: string | null
}
interface Made {
  verification_id: string
  external_id: string
}

/** Waits until no pair is open, and compares what callers got, what both deployments hold, and what the worker counted. */
export async function checkPromises(
  cluster: Cluster,
  submissions: readonly Submission[],
  violations: Violations,
) {
  const worker = await openEmbedded(cluster.folders.worker)
  const primary = await openEmbedded(cluster.folders.primary)
  const candidate = await openEmbedded(cluster.folders.candidate)
  await untilQuiet(cluster, worker, violations)
  const atPrimary = await listMade(primary)
  const atCandidate = await listMade(candidate)
  const { rows: pairs } = await worker.query<PairRow>(
    'select pair_id, kind, outcome, v1_id, v2_id from vaani_shadow.pairs',
  )
  checkCallers(submissions, atPrimary, violations)
  checkPairs(pairs, { submissions, atPrimary, atCandidate }, violations)
  await checkCounts(worker, pairs, violations)
  for (const pool of [worker, primary, candidate]) await pool.end()
}

const listMade = async (pool: pg.Pool): Promise<Made[]> =>
  (await pool.query<Made>('select verification_id, external_id from public.verifications')).rows

async function untilQuiet({ folders }: Cluster, worker: pg.Pool, violations: Violations): Promise<void> {
  const spool = path.join(folders.worker, 'blobs/shadow/spool')
  const endMs = performance.now() + QUIET_WITHIN_MS
  for (;;) {
    const waiting = await worker
      .query<{ open: number }>(
        `select count(*)::int as open from vaani_shadow.pairs where outcome = 'waiting'`,
      )
      .then(
        ({ rows }) => rows[0]?.open ?? 0,
        () => -1,
      )
    const files = await readdir(spool).catch(() => [])
    const entries = files.filter((name) => name.endsWith('.entry'))
    if (waiting === 0 && entries.length === 0) return
    if (performance.now() > endMs)
      return violations.violate(
        'not quiet',
        `${waiting} pairs wait, ${entries.length} submissions in the spool`,
      )
    await delay(500)
  }
}

/** What a caller was answered with exists once, under the id that the caller has. */
function checkCallers(
  submissions: readonly Submission[],
  made: readonly Made[],
  violations: Violations,
): void {
  // A submission that measures the noise has the external id of another, and an id that no caller has.
  const byExternalId = Map.groupBy(made, ({ external_id: externalId }) => externalId)
  for (const { externalId, verificationId } of submissions) {
    if (verificationId === null) continue
    const found = byExternalId.get(externalId) ?? []
    if (!found.some((one) => one.verification_id === verificationId))
      violations.violate('lost', verificationId)
  }
}

function checkPairs(
  pairs: readonly PairRow[],
  {
    submissions,
    atPrimary,
    atCandidate,
  }: { submissions: readonly Submission[]; atPrimary: readonly Made[]; atCandidate: readonly Made[] },
  violations: Violations,
): void {
  const externalIds = new Map(atPrimary.map((made) => [made.verification_id, made.external_id]))
  const answered = new Set(submissions.flatMap(({ verificationId }) => verificationId ?? []))
  const second = new Map(
    [...atPrimary, ...atCandidate].map((made) => [made.verification_id, made.external_id]),
  )
  for (const pair of pairs) {
    violations.count(`pairs ${pair.kind} ${pair.outcome}`)
    if (pair.v1_id === null || !answered.has(pair.v1_id))
      violations.count('pairs of an answer that was lost on its way')
    if (pair.v1_id !== null && !externalIds.has(pair.v1_id))
      violations.violate('a pair of nothing', pair.pair_id)
    // A submission that the gateway could not pass on before it was killed has no id at the primary; its caller sends it again.
    if (pair.v1_id === null) continue
    if (pair.v2_id !== null && second.get(pair.v2_id) !== externalIds.get(pair.v1_id))
      violations.violate('a pair of two subjects', pair.pair_id)
    if (pair.outcome === 'mismatched') violations.violate('a mismatch of two equal deployments', pair.pair_id)
  }
  for (const side of ['v1_id', 'v2_id'] as const)
    for (const [id, twice] of Map.groupBy(
      pairs.filter((pair) => pair.kind === 'comparison'),
      (pair) => pair[side],
    ))
      if (id !== null && twice.length > 1) violations.violate(`${side} in two pairs`, id)
  // Nothing may be at the candidate that no pair knows, and nothing twice. A candidate that stored a submission and answered none of
  // its attempts counts as failed, and only the candidate knows the id.
  const known = new Set(pairs.map(({ v2_id: id }) => id))
  const unanswered = new Set(
    pairs
      .filter((pair) => pair.outcome === 'candidate_failed' && pair.v2_id === null && pair.v1_id !== null)
      .map((pair) => externalIds.get(pair.v1_id ?? '')),
  )
  for (const made of atCandidate)
    if (known.has(made.verification_id)) continue
    else if (unanswered.has(made.external_id)) violations.count('stored by a candidate that did not answer')
    else violations.violate('at the candidate without a pair', made.verification_id)
  const ofAnsweredPairs = new Set(pairs.flatMap((pair) => (pair.v1_id === null ? [] : (pair.v2_id ?? []))))
  const ofAnswers = atCandidate.filter((made) => ofAnsweredPairs.has(made.verification_id))
  for (const [externalId, all] of Map.groupBy(ofAnswers, (made) => made.external_id))
    if (all.length > 1) violations.violate('sent to the candidate twice', externalId)
  const paired = new Set(pairs.map(({ v1_id: id }) => id))
  violations.count('submissions answered', answered.size)
  violations.count('submissions that were not copied', [...answered].filter((id) => !paired.has(id)).length)
}

/** Each pair that is over was counted once. */
async function checkCounts(
  worker: pg.Pool,
  pairs: readonly PairRow[],
  violations: Violations,
): Promise<void> {
  const { rows } = await worker.query<{ outcome: string; pairs: number }>(
    `select value as outcome, sum(pairs)::int as pairs from vaani_shadow.evidence_counts where subject = 'outcome' group by value`,
  )
  const counted = new Map(rows.map((row) => [row.outcome, row.pairs]))
  for (const [outcome, all] of Map.groupBy(pairs, (pair) => pair.outcome))
    if (counted.get(outcome) !== all.length)
      violations.violate('counted wrongly', `${outcome}: ${counted.get(outcome)} of ${all.length}`)
}
