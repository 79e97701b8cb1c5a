import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import { CHUNK_MS } from './shape.ts'
import { percentile } from '../speech/statistics.ts'

/** Something that answers chats. */
export interface Target extends AsyncDisposable {
  name: string
  ask(stream: boolean): ReturnType<Pool['request']>
}

const MESSAGES = [
  { role: 'system', content: 'You are a helpful assistant.' },
  { role: 'user', content: 'Good morning. Please tell me something about mountains. '.repeat(5) },
]

export function createTarget(
  name: string,
  url: string,
  connections: number,
  more: Readonly<Record<string, string>> = {},
): Target {
  const pool = new Pool(url, { connections })
  const headers = {
    'content-type': 'application/json',
    ...more,
  }
  return {
    name,
    ask: (stream) =>
      pool.request({
        method: 'POST',
        path: '/v1/chat/completions',
        headers,
        body: JSON.stringify({ model: 'chat', messages: MESSAGES, ...(stream && { stream }) }),
      }),
    [Symbol.asyncDispose]: () => pool.destroy(),
  }
}

/** Requests a second, with as many callers as given that ask again at once. */
export async function measureRate(target: Target, callers: number, seconds: number): Promise<number> {
  const startMs = performance.now()
  let answered = 0
  async function call() {
    while (performance.now() - startMs < seconds * 1000) {
      const { statusCode, body } = await target.ask(false)
      const text = await body.text()
      if (statusCode !== 200) throw new Error(`${target.name} answered ${statusCode}: ${text}`)
      answered++
    }
  }
  await Promise.all(Array.from({ length: callers }, call))
  return answered / ((performance.now() - startMs) / 1000)
}

export interface Delays {
  firstMs: number[]
  laterMs: number[]
}

/** Time from the writing of each chunk in the upstream to its arrival here, of streams at once. */
export async function measureStreams(target: Target, streams: number): Promise<Delays> {
  const delays: Delays = { firstMs: [], laterMs: [] }
  await Promise.all(
    Array.from({ length: streams }, async (_, index) => {
      // Models do not write in step.
      await delay((index * CHUNK_MS) / streams)
      const { statusCode, body } = await target.ask(true)
      if (statusCode !== 200) throw new Error(`${target.name} answered ${statusCode}: ${await body.text()}`)
      let isFirst = true
      for await (const part of body) {
        const now = process.hrtime.bigint()
        for (const [, sent = '0'] of String(part).matchAll(/"content":"(\d+)"/g)) {
          const ms = Number(now - BigInt(sent)) / 1e6
          if (isFirst) delays.firstMs.push(ms)
          else delays.laterMs.push(ms)
          isFirst = false
        }
      }
    }),
  )
  return delays
}

export const p50 = (values: readonly number[]): number => percentile(values, 0.5)
export const p99 = (values: readonly number[]): number => percentile(values, 0.99)
