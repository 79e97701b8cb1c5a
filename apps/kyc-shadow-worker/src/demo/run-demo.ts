import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createMigration } from '@vaani/client/migration'
import { CONDITION_NAMES } from '@vaani/contracts/migration'
import { findFreePorts } from './find-free-ports.ts'
import { findOwnProgram, findServer, installServer } from './find-program.ts'
import { receiveAlerts } from './receive-alerts.ts'
import type { Screen } from './screen.ts'
import { startTraffic } from './send-traffic.ts'
import { startChild, untilReady } from './start-child.ts'
import { startDeployments } from './start-deployments.ts'
import { type Pace, tellStory } from './story.ts'

export interface DemoOptions {
  readonly screen: Screen
  readonly pace: Pace
  /** Ends the demo, wherever it is. */
  readonly signal: AbortSignal
  /** Called at the end of the story, with everything still running. */
  linger(address: string): Promise<void>
}

/** Runs a whole migration on this machine. Everything that it starts ends with it, and its data is deleted. */
export async function runDemo({ screen, pace, signal, linger }: DemoOptions): Promise<void> {
  await using held = new AsyncDisposableStack()
  const folder = await mkdtemp(path.join(tmpdir(), 'vaani-demo-'))
  held.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  // Run by root, the embedded Postgres runs as `nobody`, which must be able to pass.
  await chmod(folder, 0o755)

  screen.title('Start two reference servers, the gateway and the worker')
  const server = findServer() ?? (await install(screen, path.join(folder, 'server')))
  screen.say('Starting. Everything runs on this machine, with generated pictures of nobody.')
  const [v1Port = 0, v2Port = 0, gatewayPort = 0, adminPort = 0] = await findFreePorts(4)
  const deployments = await startDeployments({ server, folder, ports: [v1Port, v2Port], held, signal })
  const { v1, v2, callersKey, shadowKey, shadowSecret } = deployments

  const alertSecret = `whsec_${randomBytes(32).toString('base64')}`
  let lastSummary = ''
  const alerts = held.use(
    await receiveAlerts(alertSecret, ({ data: { summary }, type }) => {
      // One break of several conditions is one piece of news.
      if (summary !== lastSummary) screen.say(`ALERT ${type}: ${summary}`)
      lastSummary = summary
    }),
  )
  const adminKey = `sk_live_${randomBytes(24).toString('base64url')}`
  const adminUrl = `http://127.0.0.1:${adminPort}`
  const data = path.join(folder, 'migration')
  await mkdir(data)
  const gateway = held.use(
    await startChild({
      name: 'the gateway',
      program: findOwnProgram(),
      args: ['gateway'],
      port: gatewayPort,
      signal,
      environment: {
        VAANI_DATA_DIR: data,
        VAANI_SHADOW_PRIMARY_URL: v1.url,
        VAANI_SHADOW_CANDIDATE_URL: v2.url,
        VAANI_SHADOW_PRIMARY_API_KEY: callersKey,
        VAANI_SHADOW_CANDIDATE_API_KEY: shadowKey,
        VAANI_SHADOW_CANDIDATE_CALLERS_API_KEY: callersKey,
        VAANI_SHADOW_CANDIDATE_WEBHOOK_SECRET: shadowSecret,
        VAANI_SHADOW_CALLBACK_BASE_URL: adminUrl,
        VAANI_SHADOW_INITIAL_STAGE: 'shadow-10',
        VAANI_SHADOW_API_KEY: adminKey,
        VAANI_SHADOW_ADMIN_PORT: String(adminPort),
        VAANI_SHADOW_ALERT_URL: alerts.url,
        VAANI_SHADOW_ALERT_SECRET: alertSecret,
        VAANI_SHADOW_ALLOWED: CONDITION_NAMES.map((name) => `${name}=${pace.allowedPercent}%`).join(','),
        VAANI_SHADOW_SENDS_PER_SECOND: '50',
        VAANI_SHADOW_SEND_CONCURRENCY: '8',
        VAANI_SHADOW_SLOW_ANSWER_SECONDS: '30',
        VAANI_SHADOW_NOISE_SHARE: '0',
      },
    }),
  )
  // The gateway forwards at once; its worker takes longer.
  await Promise.race([untilReady(adminUrl, signal), gateway.lost])
  const migration = createMigration({ apiKey: adminKey, baseUrl: adminUrl })
  const report = `${adminUrl}/#key=${adminKey}`
  screen.say(`v1 ${v1.url}, v2 ${v2.url}, gateway ${gateway.url}`)
  screen.note(`Report, live from now on: ${report}`)
  screen.note("The callers' base URL is that of the gateway. Nothing else about them has changed.")

  const traffic = startTraffic({ url: gateway.url, apiKey: callersKey, perSecond: pace.perSecond, server })
  held.defer(() => traffic.stop())
  const story = tellStory({ screen, migration, traffic, deployments, pace, signal })
  await Promise.race([story, v1.lost, v2.lost, gateway.lost])
  await linger(report)
}

async function install(screen: Screen, folder: string) {
  screen.say('Fetching the reference server from the npm registry, only for this demo.')
  return await installServer(folder)
}
