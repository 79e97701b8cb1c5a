import { setTimeout as delay } from 'node:timers/promises'
import { between, type Disk, type Fault } from '@vaani/test-services/chaos'
import type { Cluster, Member } from './cluster.ts'

export interface Storm {
  cluster: Cluster
  disk: Disk
  /** Returns a number from 0 to 1, derived from the seed. */
  random(): number
}

function anyMember({ cluster, random }: Storm): Member {
  const member = cluster.members[Math.floor(random() * cluster.members.length)]
  if (member === undefined) throw new Error('The cluster has no members')
  return member
}

async function stopPostgres(storm: Storm, mode: 'fast' | 'immediate'): Promise<void> {
  await storm.cluster.postgres.stop(mode)
  await delay(between(storm, 0, 4000))
  await storm.cluster.postgres.start()
}

/** The faults, injected one at a time. Each one heals. */
export const FAULTS: Readonly<Record<string, Fault<Storm>>> = {
  'kill -9 of a server': { weight: 6, strike: async (storm) => anyMember(storm).signal('SIGKILL') },
  'SIGTERM to a server': { weight: 3, strike: async (storm) => anyMember(storm).signal('SIGTERM') },
  'a frozen server': {
    weight: 2,
    async strike(storm) {
      const member = anyMember(storm)
      member.signal('SIGSTOP')
      await delay(between(storm, 500, 8000))
      member.signal('SIGCONT')
    },
  },
  'a crash of Postgres': { weight: 2, strike: (storm) => stopPostgres(storm, 'immediate') },
  'a restart of Postgres': { weight: 1, strike: (storm) => stopPostgres(storm, 'fast') },
  'a Postgres that hangs': {
    weight: 1,
    async strike(storm) {
      const { postgres } = storm.cluster
      await postgres.freeze()
      await delay(between(storm, 500, 15_000))
      postgres.thaw()
    },
  },
  'a restart of Redis': {
    weight: 2,
    isPossible: ({ cluster }) => cluster.redis !== null,
    async strike(storm) {
      await storm.cluster.redis?.kill()
      await delay(between(storm, 0, 5000))
      await storm.cluster.redis?.start()
    },
  },
  'a full disk': {
    weight: 2,
    isPossible: ({ disk }) => disk.fill !== null,
    async strike(storm) {
      await storm.disk.fill?.()
      await delay(between(storm, 1000, 6000))
      await storm.disk.empty()
    },
  },
}
