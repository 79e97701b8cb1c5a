import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createBreakers } from '@vaani/turns'
import { EngineError } from '../engine/engine-error.ts'
import { attempt, AttemptError } from './attempt.ts'
import { checkOptions, type HttpEngineOptions } from './options.ts'
import { signatureHeaders } from './sign.ts'

/** Effects that tests replace. */
export interface Effects {
  nowMs: () => number
  random: () => number
  wait: (ms: number, signal: AbortSignal) => Promise<void>
}

/** The server of an engine. */
export interface EngineServer {
  /**
   * Posts a request and returns the JSON of the answer. Repeats it if the connection failed or the server is busy. After several
   * failures in a row, requests fail at once for a while.
   *
   * @throws EngineError `unavailable`, `refused`, `answer_invalid`
   */
  ask(content: Readonly<Record<string, unknown>>): Promise<unknown>
  /** Ends the requests in progress. */
  close(): void
}

/** Version of the requests and their answers. */
const PROTOCOL = 1
const MAX_ATTEMPTS = 3
/** The time for a check, as a multiple of the limit on one attempt. */
const ATTEMPTS_IN_BUDGET = 3
const FIRST_DELAY_MS = 200
const REST_RULES = { failuresUntilRest: 3, firstRestMs: 10_000, maxRestMs: 60_000 }

const EFFECTS: Effects = {
  nowMs: Date.now,
  random: Math.random,
  wait: (ms, signal) => sleep(ms, undefined, { signal }),
}

/** @throws EngineError `setting_invalid` */
export function createEngineServer(options: HttpEngineOptions, effects: Effects = EFFECTS): EngineServer {
  const { url, host, key, timeoutMs } = checkOptions(options)
  const { nowMs, random, wait } = effects
  const closing = new AbortController()
  const breakers = createBreakers({ rules: REST_RULES, nowMs })

  async function repeat(id: string, body: string): Promise<unknown> {
    const endMs = nowMs() + ATTEMPTS_IN_BUDGET * timeoutMs
    for (let count = 1; ; count++) {
      const startMs = nowMs()
      try {
        return await attempt({
          url,
          host,
          headers: signatureHeaders(key, { id, nowMs: startMs, body }),
          body,
          timeoutMs: Math.min(timeoutMs, Math.max(1, endMs - startMs)),
          nowMs,
          signal: closing.signal,
        })
      } catch (error) {
        if (!(error instanceof AttemptError)) throw error
        const delayMs = error.retryAfterMs ?? random() * FIRST_DELAY_MS * 2 ** count
        const hasTime = nowMs() + delayMs < endMs
        if (!error.isRetryable || count === MAX_ATTEMPTS || !hasTime || closing.signal.aborted)
          throw error.error
        await wait(delayMs, closing.signal).catch(() => {
          throw error.error
        })
      }
    }
  }

  return {
    async ask(content) {
      if (!breakers.begin(host))
        throw new EngineError(
          'unavailable',
          `The engine at ${host} failed repeatedly and is not asked for a while`,
        )
      // The same in each attempt, so that the server can recognise a repetition.
      const id = `chk_${randomUUID()}`
      try {
        const answer = await repeat(id, JSON.stringify({ protocol: PROTOCOL, id, ...content }))
        breakers.succeed(host)
        return answer
      } catch (error) {
        const isDown = error instanceof EngineError && error.code === 'unavailable'
        if (isDown) breakers.fail(host)
        else breakers.succeed(host)
        throw error
      }
    },
    close: () => closing.abort(),
  }
}
