import { waitForEndOfParent } from '@vaani/service-kit/lifecycle/parent-pipe'
import { startStopDeadline } from '@vaani/service-kit/lifecycle/stop-deadline'
import { listenForStopSignals } from '@vaani/service-kit/lifecycle/stop-signals'
import type { Environment } from '@vaani/service-kit/settings/define-settings'
import { createLogger } from '@vaani/service-kit/telemetry/log'
import { features } from '../features.ts'
import { startWorker } from '../server.ts'
import { loadOrMakeAdminKey, readAdminKey } from '../worker/admin-key.ts'

/** Beside the server's 8080 and the gateway's 8090. */
export const WORKER_PORT = '8091'

/** Runs everything of a migration that is not in the path of callers, until it is asked to stop. */
export async function runWorker(environment: Environment): Promise<void> {
  const config = features.settings.read({ ...environment, PORT: environment['PORT'] ?? WORKER_PORT })
  const log = createLogger(config.logLevel)
  const signals = listenForStopSignals()
  const asked = Promise.race([signals.first, waitForEndOfParent()])
  const starting = new AbortController()
  void asked.then(() => starting.abort())
  const adminKey = readAdminKey(environment) ?? (await loadOrMakeAdminKey(config.dataDirectory))
  const worker = await startWorker({ config, log, adminKey, signal: starting.signal }).catch(
    (error: unknown) => {
      if (starting.signal.aborted) return null
      throw error
    },
  )
  if (worker === null) return
  const reason = await Promise.race([asked, worker.failed])
  using deadline = startStopDeadline(config.shutdownGraceMs)
  signals.onSecond(() => deadline.hurry())
  if (reason instanceof Error) log.fatal({ error: reason }, 'Stopping because the worker cannot continue')
  else log.info({ signal: reason }, 'Stopping')
  await worker.stop(deadline)
  if (reason instanceof Error) throw reason
}
