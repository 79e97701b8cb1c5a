import { setTimeout as delay } from 'node:timers/promises'
import { between, type Disk, type Fault } from '@vaani/test-services/chaos'
import { type Cluster, crashEmbedded, type Member } from './cluster.ts'

export interface Storm {
  cluster: Cluster
  disk: Disk
  /** Returns a number from 0 to 1, derived from the seed. */
  random(): number
}

function anyWorker({ cluster, random }: Storm): Member {
  const worker = cluster.workers[Math.floor(random() * cluster.workers.length)]
  if (worker === undefined) throw new Error('There are no workers')
  return worker
}

async function freeze(storm: Storm, node: Member): Promise<void> {
  node.signal('SIGSTOP')
  await delay(between(storm, 500, 6000))
  node.signal('SIGCONT')
}

/** The faults, injected one at a time. None hits the primary: callers would see it without a gateway too. */
export const FAULTS: Readonly<Record<string, Fault<Storm>>> = {
  'kill -9 of the gateway': { weight: 2, strike: async ({ cluster }) => cluster.gateway.signal('SIGKILL') },
  'SIGTERM to the gateway': { weight: 1, strike: async ({ cluster }) => cluster.gateway.signal('SIGTERM') },
  'kill -9 of a worker': { weight: 5, strike: async (storm) => anyWorker(storm).signal('SIGKILL') },
  'SIGTERM to a worker': { weight: 2, strike: async (storm) => anyWorker(storm).signal('SIGTERM') },
  'a worker that stands still': { weight: 2, strike: async (storm) => freeze(storm, anyWorker(storm)) },
  'kill -9 of the candidate': {
    weight: 2,
    strike: async ({ cluster }) => cluster.candidate.signal('SIGKILL'),
  },
  'a candidate that hangs': { weight: 2, strike: async (storm) => freeze(storm, storm.cluster.candidate) },
  'a crash of the worker’s Postgres': {
    weight: 2,
    strike: async ({ cluster }) => crashEmbedded(cluster.folders.worker),
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
