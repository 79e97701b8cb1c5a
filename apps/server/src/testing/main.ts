/**
 * The server for users' tests, which `@vaani/testing` starts as a separate process. It is the real application with its real
 * settings, plus a clock that tests can advance, a phone that can run faster than real time, and a database that is dropped at
 * the end. When the tests end in any way, their IPC channel closes and this process ends.
 */
import { rm } from 'node:fs/promises'
import { makeOwn } from '@vaani/service-kit/database/embedded/choose-place'
import { migrateDatabase } from '@vaani/service-kit/database/open-database'
import { createLogger } from '@vaani/service-kit/telemetry/log'
import { FRAME_DURATION_MS } from '@vaani/telephony'
import { createSimulatorCarrier } from '@vaani/telephony-sip/simulator'
import type { AdvanceMessage, ServerMessage, TestingSettings } from '@vaani/test-harness/protocol'
import { features } from '../features.ts'
import { startServer } from '../server.ts'
import { createOwnDatabase } from './own-database.ts'
import { startTestPostgres } from './start-test-postgres.ts'

const given = process.env['VAANI_TESTING']
if (given === undefined)
  throw new Error('This program is started by startVaani() of @vaani/testing: import that')
const settings = JSON.parse(given) as TestingSettings
const config = features.settings.read(process.env)
const log = createLogger(config.logLevel)

const channelClosed = new Promise<void>((resolve) => process.once('disconnect', resolve))
const stopSignal = new Promise<unknown>((resolve) => process.once('SIGTERM', resolve))
const databaseLost = Promise.withResolvers<Error>()
let { offsetMs } = settings

const send = (message: ServerMessage): void => void (process.connected && process.send?.(message))

await using held = new AsyncDisposableStack()
held.defer(() => rm(settings.temporaryDirectory, { recursive: true, force: true }))
const server = held.use(
  await startServer({
    config: { ...config, databaseUrl: config.databaseUrl ?? (await provideDatabase()) },
    log,
    // Fail fast, because a developer is waiting for the tests.
    databaseWaitMs: 0,
    // Most tests hear nothing.
    warmsSpeech: false,
    clock: { nowMs: () => Date.now() + offsetMs },
    createSimulator: () =>
      createSimulatorCarrier({ frameIntervalMs: FRAME_DURATION_MS / settings.phoneSpeed }),
  }),
)
const { address, context } = server
const key = context.admin.firstKey ?? config.bootstrapApiKey
if (address === null || key === undefined)
  throw new Error('Tests need the role api, and either a new database or VAANI_BOOTSTRAP_API_KEY')

process.on('message', (message: AdvanceMessage) => {
  offsetMs = message.offsetMs
  void context.sweep().then(() => send({ ...message, type: 'advanced' }))
})
send({ type: 'started', url: address, key })
const failure = await Promise.race([channelClosed, stopSignal, databaseLost.promise])
if (failure instanceof Error) process.exitCode = 1
if (process.connected) process.disconnect()

async function provideDatabase(): Promise<string> {
  // The parent folder may be world-writable, so another user may have created this one and put programs into it.
  await makeOwn(settings.postgresDirectory)
  const postgres = await startTestPostgres({ directory: settings.postgresDirectory, logger: log })
  held.defer(() => postgres.stop())
  void postgres.lost.then(databaseLost.resolve)
  const database = await createOwnDatabase({
    directory: settings.postgresDirectory,
    postgres: postgres.connection,
    migrations: features.migrations,
    migrate: (databaseUrl) =>
      migrateDatabase({
        settings: { ...config, databaseUrl },
        migrations: features.migrations,
        log,
        waitMs: 0,
        signal: new AbortController().signal,
        isCheck: false,
      }),
  })
  held.defer(() => database.drop())
  return database.url
}
