import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '@vaani/service-kit/telemetry/log'

const WRITE_ATTEMPTS = 5
const WRITE_RETRY_MS = 500

/** Retries a write, so that a short database outage does not lose the end of a call. After longer ones it ends as interrupted. */
export type Persist = <Result>(write: () => Promise<Result>) => Promise<Result>

/** @param options.released aborts when steps that could not be written are not tried again */
export const createPersist =
  ({ log, released }: { log: Logger; released: AbortSignal }): Persist =>
  async (write) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await write()
      } catch (error) {
        if (attempt === WRITE_ATTEMPTS) throw error
        log.warn({ error, attempt }, 'A step of a call could not be written; trying again')
        await delay(WRITE_RETRY_MS * attempt, undefined, { signal: released })
      }
    }
  }
