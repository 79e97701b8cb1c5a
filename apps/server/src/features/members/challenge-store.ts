import type { Clock } from '@vaani/service-kit/clock'
import type { Db } from '@vaani/service-kit/database/connect'
import { createSecret, hashOf } from '../../tenancy/secrets.ts'
import './tables.ts'

/** How long somebody may take to sign in. */
export const CHALLENGE_MS = 5 * 60_000

/** Challenges of those who are signing in. Each works once. */
export interface ChallengeStore {
  /** Creates a challenge of 32 bytes, in base64url. */
  create(): Promise<string>
  /** Uses a challenge up. @returns whether it was open */
  take(challenge: string): Promise<boolean>
  sweep(): Promise<void>
}

export function createChallengeStore({ database, clock }: { database: Db; clock: Clock }): ChallengeStore {
  const after = (ms: number): Date => new Date(clock.nowMs() + ms)
  return {
    async create() {
      const challenge = createSecret()
      await database
        .insertInto('sign_in_challenges')
        .values({ challenge_hash: hashOf(challenge), expires_at: after(CHALLENGE_MS) })
        .execute()
      return challenge
    },
    async take(challenge) {
      const taken = await database
        .deleteFrom('sign_in_challenges')
        .where('challenge_hash', '=', hashOf(challenge))
        .returning('expires_at')
        .executeTakeFirst()
      return taken !== undefined && taken.expires_at > after(0)
    },
    async sweep() {
      await database.deleteFrom('sign_in_challenges').where('expires_at', '<=', after(0)).execute()
    },
  }
}
