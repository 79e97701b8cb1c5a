import type { Clock } from '@vaani/service-kit/clock'
import { startService } from '@vaani/service-kit/service/start-service'
import type { Logger } from '@vaani/service-kit/telemetry/log'
import type { Tracer } from '@vaani/service-kit/telemetry/tracer'
import { type Carrier, createLoopbackCarrier } from '@vaani/telephony'
import { type Config, features } from './features.ts'
import { createAuthenticator } from './tenancy/authenticator.ts'

export interface ServerOptions {
  config: Config
  log: Logger
  clock?: Clock
  /** Makes the spans; default: there are none. */
  tracer?: Tracer | undefined
  /** Makes the carrier; default: the loopback phone in real time. */
  createCarrier?: (log: Logger) => Carrier
  /** How long to wait for a database that starts as well; default: a minute. */
  databaseWaitMs?: number
  /** Aborts the start. */
  signal?: AbortSignal
}

export type RunningServer = Awaited<ReturnType<typeof startServer>>
export type ServerContext = RunningServer['context']

/** Starts the server in its roles. It listens from the first moment, and says that it is starting. */
export const startServer = ({ config, createCarrier = createLoopbackPhone, ...options }: ServerOptions) =>
  startService({
    ...options,
    settings: config,
    features,
    open: ({ database, clock }) => ({
      authenticator: createAuthenticator({ database, clock }),
      createCarrier,
    }),
  })

function createLoopbackPhone(log: Logger): Carrier {
  return createLoopbackCarrier({
    onCrash: (error) => log.error({ error }, 'The media worker crashed; its calls ended as carrier-error'),
  })
}
