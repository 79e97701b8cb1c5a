import { idPattern } from '@vaani/contracts'
import type { KycVersion } from '@vaani/contracts/migration'
import type { Db } from '@vaani/service-kit/database/connect'
import type { Reported } from './rules/apply.ts'
import { deploymentOf } from './rules/plan.ts'
import type { Deployment } from './rules/schedules.ts'

/** Pairs that one verification may be in: a submission may be replayed. */
const MOST_PAIRS = 10
const VERSIONS = ['v1', 'v2'] as const
const PAIR_ID = idPattern('pair')

/** A side of a pair. */
interface Place {
  readonly pairId: string
  readonly version: KycVersion
}

/**
 * Finds the sides that have a verification. A callback that was asked for names its pair, because it may come before the answer
 * with the id does.
 */
export async function findPlaces(
  { database, deployment }: { database: Db; deployment: Deployment },
  { verificationId }: Reported,
  query: unknown,
): Promise<Place[]> {
  const pairId = typeof query === 'object' && query !== null && 'pair' in query ? query.pair : undefined
  if (typeof pairId === 'string' && PAIR_ID.test(pairId)) {
    const pair = await database
      .selectFrom('pairs')
      .where('pair_id', '=', pairId)
      .select(['kind', 'sides'])
      .executeTakeFirst()
    const version = VERSIONS.find(
      (one) =>
        pair !== undefined && deploymentOf(pair, one) === deployment && pair.sides[one].sentBy === 'shadow',
    )
    return version === undefined ? [] : [{ pairId, version }]
  }
  const found = await Promise.all(
    VERSIONS.map((version) =>
      database
        .selectFrom('pairs')
        .where(version === 'v1' ? 'v1_id' : 'v2_id', '=', verificationId)
        .select('pair_id')
        .limit(MOST_PAIRS)
        .execute(),
    ),
  )
  return VERSIONS.flatMap((version, index) =>
    (found[index] ?? []).map(({ pair_id }) => ({ pairId: pair_id, version })),
  )
}
