/** Starts Postgres and Redis once for all test files of a run, prints their sources, and stops them at the end. */
import { randomBytes } from 'node:crypto'

import type { TestProject } from 'vitest/node'

import './provided-context.ts'
import { postgresSources } from './postgres-sources.ts'
import { redisSources } from './redis-sources.ts'
import { startFirst } from './start-first.ts'
import { dropDatabasesOfRun } from './test-database.ts'

export default async function setUpServices(project: TestProject): Promise<() => Promise<void>> {
  const [postgres, redis] = await Promise.all([
    startFirst(postgresSources(process.env)),
    startFirst(redisSources(process.env)),
  ])
  console.log(`test services: Postgres: ${postgres.description}; Redis: ${redis.description}`)
  if (!postgres.service || (!redis.service && process.env['CI'])) {
    await Promise.all([postgres.service?.stop(), redis.service?.stop()])
    throw new Error(`The tests need ${postgres.service ? 'Redis, and CI must have it' : 'Postgres'}`)
  }
  const postgresUrl = postgres.service.url
  const testRunId = randomBytes(4).toString('hex')
  project.provide('postgresUrl', postgresUrl)
  project.provide('isPostgresContainer', postgres.description.startsWith('container'))
  project.provide('redisUrl', redis.service?.url)
  project.provide('testRunId', testRunId)

  return async () => {
    await dropDatabasesOfRun({ postgresUrl, testRunId })
    await Promise.all([postgres.service?.stop(), redis.service?.stop()])
  }
}
