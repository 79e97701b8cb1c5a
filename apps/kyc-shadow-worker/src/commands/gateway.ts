import { waitForEndOfParent } from '@vaani/service-kit/lifecycle/parent-pipe'
import { startStopDeadline } from '@vaani/service-kit/lifecycle/stop-deadline'
import { listenForStopSignals } from '@vaani/service-kit/lifecycle/stop-signals'
import type { Environment } from '@vaani/service-kit/settings/define-settings'
import { createLogger } from '@vaani/service-kit/telemetry/log'
import { gatewaySettings } from '../gateway/settings.ts'
import { startGateway } from '../gateway/start-gateway.ts'

/** Beside the server's 8080. */
export const GATEWAY_PORT = '8090'

/** Runs the gateway, with a worker beside it, until it is asked to stop. */
export async function runGateway(environment: Environment): Promise<void> {
  const config = gatewaySettings.read({ ...environment, PORT: environment['PORT'] || GATEWAY_PORT })
  const log = createLogger(config.logLevel)
  const signals = listenForStopSignals()
  const asked = Promise.race([signals.first, waitForEndOfParent()])
  const [, program = ''] = process.argv
  const gateway = await startGateway({
    config,
    log,
    environment,
    workerCommand: [process.execPath, ...process.execArgv, program, 'worker'],
  })
  log.info({ signal: await asked }, 'Stopping')
  using deadline = startStopDeadline(config.shutdownGraceMs)
  signals.onSecond(() => deadline.hurry())
  await gateway.stop(deadline)
}
