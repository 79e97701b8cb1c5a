import { type BackgroundWorker, createPulse } from '@vaani/service-kit/lifecycle/background-worker'
import { endOf } from '@vaani/service-kit/lifecycle/stop-deadline'
import type { Logger } from '@vaani/service-kit/telemetry/log'

/** Runs a function again and again, each time an interval after it ended. Logs the first of failures in a row. */
export function repeat(options: {
  name: string
  everyMs: number
  run: () => Promise<void>
  log: Logger
}): BackgroundWorker {
  const { name, everyMs, run, log } = options
  const pulse = createPulse()
  const stopping = new AbortController()
  let wake = (): void => undefined

  function pause(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, everyMs)
    wake = () => {
      clearTimeout(timer)
      resolve()
    }
    if (stopping.signal.aborted) wake()
    return promise
  }

  async function loop(): Promise<void> {
    let hasFailed = false
    while (!stopping.signal.aborted) {
      try {
        await run()
        pulse.beat()
        hasFailed = false
      } catch (error) {
        if (!hasFailed) log.warn({ error }, `${name} failed, and is tried again`)
        hasFailed = true
      }
      await pause()
    }
  }
  const ended = loop()
  return {
    name,
    isWorking: pulse.isBeating,
    async stop({ timeOver }) {
      stopping.abort()
      wake()
      await endOf(ended, timeOver)
    },
  }
}
