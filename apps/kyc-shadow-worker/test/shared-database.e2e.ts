import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { createLogger } from '@vaani/service-kit/telemetry/log'
import { createTestDatabase, programFile } from '@vaani/test-services'
import { until } from '@vaani/test-services/until'
import { thorough } from '@vaani/test-services/thorough'
import { onTestFinished, test } from 'vitest'
import { features } from '../src/features.ts'
import { startWorker } from '../src/server.ts'
import { SPEECH_ON_DEMAND } from './support/deployments.ts'

/** Starts the reference server and returns its address. */
async function startServer(environment: Record<string, string>): Promise<string> {
  const server: ChildProcess = spawn(process.execPath, ['--conditions=vaani-source', programFile('server')], {
    env: { PATH: process.env['PATH'], VAANI_PARENT_PIPE: '3', ...environment, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  })
  onTestFinished(async () => {
    server.kill('SIGKILL')
    if (server.exitCode === null) await once(server, 'exit')
  })
  for await (const line of createInterface({ input: server.stdout! })) {
    const address = /"address":"(http:[^"]+)"/.exec(line)?.[1]
    if (address !== undefined) return address
  }
  throw new Error('The server did not start')
}

test.each(thorough({ usual: ['the server first'], long: ['the worker first', 'the server first'] }))(
  'shares a database with the reference server, %s',
  async (first) => {
    const database = await createTestDatabase()
    const dataDirectory = await mkdtemp(path.join(tmpdir(), 'shared-database-'))
    onTestFinished(async () => {
      await database.drop()
      await rm(dataDirectory, { recursive: true, force: true })
    })
    const environment = {
      DATABASE_URL: database.url,
      VAANI_DATA_DIR: dataDirectory,
      VAANI_SPEECH_ENGINES_FILE: SPEECH_ON_DEMAND,
      PORT: '0',
    }
    const config = features.settings.read({
      ...environment,
      VAANI_SHADOW_PRIMARY_URL: 'http://127.0.0.1:1',
      VAANI_SHADOW_CANDIDATE_URL: 'http://127.0.0.1:2',
      VAANI_SHADOW_CANDIDATE_API_KEY: 'sk_test_candidate',
    })
    const starts = {
      async worker() {
        const worker = await startWorker({
          config,
          log: createLogger('silent'),
          adminKey: 'sk_live_x'.padEnd(40, 'x'),
        })
        onTestFinished(() => worker[Symbol.asyncDispose]())
        return worker.address
      },
      server: () => startServer(environment),
    }
    const order =
      first === 'the worker first' ? [starts.worker, starts.server] : [starts.server, starts.worker]
    for (const start of order) {
      const address = await start()
      // Both listen before they are ready.
      await until(
        async () => (await fetch(`${address}/readyz`)).status,
        (status) => status === 200,
      )
    }
  },
)
