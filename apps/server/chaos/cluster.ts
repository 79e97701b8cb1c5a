import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Disk, keepRunning, type KeptProcess } from '@vaani/test-services/chaos'
import { type OwnPostgres, startOwnPostgres } from '../test/support/own-postgres.ts'
import { freePort, hasRedisServer, startRedis } from '../test/support/redis-process.ts'
import { until } from '@vaani/test-services/until'
import { PROCESS_ENVIRONMENT } from '../test/support/process-environment.ts'

export const OPERATOR_KEY = 'sk_live_chaos0123456789abcdefghij'

/** A server process that is restarted whenever it exits. */
export interface Member extends KeptProcess {
  /** Null for the role `worker`, which does not listen. */
  url: string | null
  /** Stops it gracefully, and starts this version in its place. */
  upgrade(): void
}

export interface Redis {
  kill(): Promise<void>
  start(): Promise<void>
}

export interface Cluster extends AsyncDisposable {
  members: readonly Member[]
  postgres: OwnPostgres
  /** Null without a `redis-server` on the PATH. */
  redis: Redis | null
}

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))
/** Enough attempts that no delivery goes dead during the storm. */
const WEBHOOK_SCHEDULE = [0, ...Array.from({ length: 60 }, (_, index) => Math.min(0.5 + index / 4, 5))]

/**
 * Starts two API servers and two workers on one Postgres, one Redis and one disk.
 *
 * @param earlier folder of another version's repository, which they run until they are upgraded
 * @param carriersFile with a phone line for live mode; an earlier version may not understand it
 */
export async function startCluster(
  disk: Disk,
  { earlier, carriersFile }: { earlier: string | undefined; carriersFile: string },
): Promise<Cluster> {
  await using held = new AsyncDisposableStack()
  const postgres = held.use(await startOwnPostgres())
  const redisPort = (await hasRedisServer()) ? await freePort() : null
  const redis = redisPort === null ? null : await restartable(redisPort)
  held.defer(async () => redis?.kill())
  const environment = {
    ...PROCESS_ENVIRONMENT,
    DATABASE_URL: postgres.url,
    VAANI_DATA_DIR: disk.directory,
    VAANI_BOOTSTRAP_API_KEY: OPERATOR_KEY,
    VAANI_CALLBACK_ALLOW_CIDRS: '127.0.0.0/8',
    VAANI_WEBHOOK_SCHEDULE_SECONDS: WEBHOOK_SCHEDULE.join(','),
    VAANI_IDENTITY_POLICY: 'document-only',
    VAANI_SHUTDOWN_GRACE_SECONDS: '5',
    ...(earlier === undefined && { VAANI_CARRIERS_FILE: carriersFile }),
    ...(redisPort !== null && { REDIS_URL: `redis://127.0.0.1:${redisPort}` }),
  }
  const members: Member[] = []
  for (const [name, role] of [
    ['api-1', 'api'],
    ['api-2', 'api'],
    ['worker-1', 'worker'],
    ['worker-2', 'worker'],
  ] as const) {
    const port = role === 'api' ? await freePort() : null
    const ports = port === null ? {} : { PORT: String(port) }
    let main = earlier === undefined ? MAIN : path.resolve(earlier, 'apps/server/src/main.ts')
    const kept = held.use(
      keepRunning(name, {
        program: () => main,
        environment: { ...environment, VAANI_ROLES: role, ...ports },
      }),
    )
    const upgrade = () => {
      main = MAIN
      kept.signal('SIGTERM')
    }
    const member = { ...kept, url: port === null ? null : `http://127.0.0.1:${port}`, upgrade }
    members.push(member)
    // The first server creates the schema and the operator's account for the others.
    if (member.url !== null) await untilReady(member.url)
  }
  const resources = held.move()
  return { members, postgres, redis, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

export const untilReady = (url: string, withinMs = 60_000): Promise<unknown> =>
  until(
    () =>
      fetch(`${url}/readyz`)
        .then((response) => response.ok)
        .catch(() => false),
    (isReady) => isReady,
    { withinMs },
  )

async function restartable(port: number): Promise<Redis> {
  let running = await startRedis(port)
  return {
    kill: () => running.kill(),
    start: async () => void (running = await startRedis(port)),
  }
}
