import type { Clock } from '@vaani/service-kit/clock'
import { startService } from '@vaani/service-kit/service/start-service'
import type { Logger } from '@vaani/service-kit/telemetry/log'
import type { Tracer } from '@vaani/service-kit/telemetry/tracer'
import type { CreateSimulator } from './features/calls/carriers/carriers.ts'
import { createSimulatorCarrier } from '@vaani/telephony-sip/simulator'
import { type Config, features } from './features.ts'
import { findEnginesFile } from './features/speech/engines-file.ts'
import { createAuthenticator } from './tenancy/authenticator.ts'

export interface ServerOptions {
  config: Config
  log: Logger
  clock?: Clock
  /** Creates the spans; none by default. */
  tracer?: Tracer | undefined
  /** Creates simulators of carriers; in real time by default. */
  createSimulator?: CreateSimulator
  /** Whether the caller shows the first key to a person. If not, none is created. True by default. */
  showsFirstKey?: boolean
  /** Whether threads of the embedded speech engines start before anything is spoken. True by default. */
  warmsSpeech?: boolean
  /** How long to wait for a database that is starting too; one minute by default. */
  databaseWaitMs?: number
  /** Aborts the start. */
  signal?: AbortSignal
}

export type RunningServer = Awaited<ReturnType<typeof startServer>>
export type ServerContext = RunningServer['context']

/** Starts the server in its roles. It listens at once, and reports that it is starting until it is ready. */
export const startServer = async ({
  config,
  createSimulator = createSimulatorCarrier,
  showsFirstKey = true,
  warmsSpeech = true,
  ...options
}: ServerOptions) =>
  startService({
    ...options,
    settings: await findEnginesFile(config),
    features,
    formerKeyAdvice: 'run `reseal`, which seals everything with key 1 and reports when it can be removed',
    open: ({ database, clock }) => ({
      authenticator: createAuthenticator({ database, clock }),
      createSimulator,
      showsFirstKey,
      warmsSpeech,
    }),
  })
