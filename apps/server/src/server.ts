import { systemClock } from '@vaani/service-kit/clock'
import { type Door, openDoor } from '@vaani/service-kit/http/door'
import { answerInPlaceOfNode } from '@vaani/service-kit/http/malformed-refusal'
import { answerWhileStarting } from '@vaani/service-kit/http/while-starting'
import { createIdMaker } from '@vaani/service-kit/ids'
import { startStopDeadline, STOP_NOW, type StopDeadline } from '@vaani/service-kit/lifecycle/stop-deadline'
import { type AppContext, type ContextOptions, createContext } from './context.ts'
import { createApp } from '@vaani/service-kit/http/app'
import { mountRoutes } from './routes.ts'

export interface RunningServer extends AsyncDisposable {
  context: AppContext
  /** Where it listens, as in `http://127.0.0.1:8080`; null without the role `api`. */
  address: string | null
  /** Resolves if something is lost that the server cannot go on without. */
  failed: Promise<Error>
  /**
   * Stops: takes up nothing new, lets what is under way end until the deadline, and releases what it holds. Disposing it
   * does the same with the grace of the settings.
   */
  stop(deadline: StopDeadline): Promise<void>
}

/** Starts the server in its roles. It listens from the first moment, and says that it is starting. */
export async function startServer(options: ContextOptions): Promise<RunningServer> {
  const { config, log, clock = systemClock } = options
  const { host } = config
  await using held = new AsyncDisposableStack()
  const makeId = createIdMaker(clock)
  const door: Door | null = config.roles.has('api')
    ? await openDoor({ host, port: config.port, whileStarting: answerWhileStarting(makeId) })
    : null
  held.defer(() => door?.stop(STOP_NOW))
  if (door !== null) answerInPlaceOfNode(door.server, makeId)
  const running = held.use(await createContext(options))
  const { context } = running
  const app = await createApp(context, door?.server)
  await mountRoutes(app, context)
  await app.ready()
  door?.open(app.routing)
  const address = door === null ? null : `http://${hostForUrl(host)}:${door.port}`
  log.info({ address: address ?? undefined, roles: [...config.roles].join(','), event: 'started' }, 'Started')
  // Nothing fails any more: from here on it is stopped, not given up.
  held.move()

  async function stop(deadline: StopDeadline): Promise<void> {
    await Promise.all([running.stopWorking(deadline), door?.stop(deadline)])
    await app.close()
    await running.release(deadline)
    log.info({ event: 'stopped' }, 'Stopped')
  }
  let stopped: Promise<void> | undefined
  return {
    context,
    address,
    failed: running.failed,
    stop: (deadline) => (stopped ??= stop(deadline)),
    async [Symbol.asyncDispose]() {
      using deadline = startStopDeadline(config.shutdownGraceMs)
      await (stopped ??= stop(deadline))
    },
  }
}

const WILDCARDS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }
const hostForUrl = (host: string): string => WILDCARDS[host] ?? (host.includes(':') ? `[${host}]` : host)
