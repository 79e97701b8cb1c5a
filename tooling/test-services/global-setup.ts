/** Starts Postgres and Redis and bundles our programs once for all test files of a run, prints the sources, and stops them at the end. */
import { randomBytes } from 'node:crypto'

import type { TestProject } from 'vitest/node'

import './provided-context.ts'
import { bundlePrograms } from './bundle-programs.ts'
import { postgresSources } from './postgres-sources.ts'
import { redisSources } from './redis-sources.ts'
import { startFirst } from './start-first.ts'
import { dropDatabasesOfRun } from './test-database.ts'

export default async function setUpServices(project: TestProject): Promise<() => Promise<void>> {
  const bundling = Promise.allSettled([bundlePrograms()])
  const [postgres, redis] = await Promise.all([
    startFirst(postgresSources(process.env)),
    startFirst(redisSources(process.env)),
  ])
  const stop = async () => {
    await Promise.all([postgres.service?.stop(), redis.service?.stop()])
  }
  console.log(`test services: Postgres: ${postgres.description}; Redis: ${redis.description}`)
  const [bundled] = await bundling
  if (bundled.status === 'rejected' || !postgres.service || (!redis.service && process.env['CI'])) {
    await stop()
    if (bundled.status === 'rejected') throw bundled.reason
    throw new Error(`The tests need ${postgres.service ? 'Redis, and CI must have it' : 'Postgres'}`)
  }
  const postgresUrl = postgres.service.url
  const testRunId = randomBytes(4).toString('hex')
  project.provide('postgresUrl', postgresUrl)
  project.provide('redisUrl', redis.service?.url)
  project.provide('programsFolder', bundled.value)
  project.provide('testRunId', testRunId)

  return async () => {
    await dropDatabasesOfRun({ postgresUrl, testRunId })
    await stop()
  }
}
