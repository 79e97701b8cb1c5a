/** Sends an attack from one account, and measures what the cheapest requests of another wait meanwhile. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { AloneMessage, AttackerData, EndedMessage } from './attacker.ts'
import { ATTACKS, json, type Sent } from './attacks.ts'
import type { Wait, Waits } from './judge.ts'
import { send } from './send.ts'

const ALONE = 20
const ATTACK_MS = 8000
const OFTEN = { limit: 100_000, period_seconds: 1 }

/** A server, and a key of its operator. */
export interface Target {
  url: string
  key: string
}

/** What an attack was answered, and how long a neighbour waited. */
export interface Measured extends Waits {
  /** How often each status was answered. */
  answers: [status: number, count: number][]
}

/** Measures attacks by their index. */
export type Measure = (index: number) => Promise<Measured>

async function createAccount(server: Target, name: string, rate_overrides: object): Promise<string> {
  const ask = async (route: string, body: object): Promise<Record<string, string>> => {
    const response = await send(server.url, json(route, body), server.key)
    if (response.status >= 300) throw new Error(`${route} answered ${response.status}`)
    return JSON.parse(response.answer)
  }
  const { account_id } = await ask('/admin/accounts', { name, tier: 'pro', rate_overrides })
  const scopes = ['models:use', 'speech:write', 'voices:write', 'batch:write']
  const { key = '' } = await ask('/admin/keys', { account_id, name, scopes, livemode: false })
  return key
}

const now = () => performance.timeOrigin + performance.now()

/** Starts the thread of an attack. @returns the time of one request by itself, and a function that begins the attack */
async function startAttacker(data: AttackerData) {
  const thread = new Worker(new URL('attacker.ts', import.meta.url), { workerData: data })
  const [alone]: AloneMessage[] = await once(thread, 'message')
  return {
    unitMs: alone?.ms ?? Number.NaN,
    async attack(): Promise<EndedMessage> {
      thread.postMessage('go on')
      const [ended]: EndedMessage[] = await once(thread, 'message')
      return ended ?? { statuses: new Map(), endsMs: [] }
    },
  }
}

/** Creates the account of the neighbour. */
export async function createMeasure(server: Target): Promise<Measure> {
  const rates = { chat: OFTEN, ocr: OFTEN, speech_stream: OFTEN, synthesis_light: OFTEN }
  const neighbour = await createAccount(server, 'neighbour', rates)

  /** Sends the cheapest requests one after another. @throws Error if one is refused */
  async function wait(cheapest: Sent, goesOn: (sent: number) => boolean) {
    const waits: { startMs: number; endMs: number }[] = []
    while (goesOn(waits.length)) {
      const startMs = now()
      const { status } = await send(server.url, cheapest, neighbour)
      if (status !== 200) throw new Error(`The neighbour was answered ${status}`)
      waits.push({ startMs, endMs: now() })
    }
    return waits
  }

  return async (index) => {
    const attack = ATTACKS[index]
    if (attack === undefined) throw new Error(`There is no attack ${index}`)
    const { name, cheapest } = attack
    await wait(cheapest, (sent) => sent < 3)
    const alone = await wait(cheapest, (sent) => sent < ALONE)
    // A new one each time, whose rates are not used up.
    const key = await createAccount(server, name, {})
    const attacker = await startAttacker({ server: server.url, key, index, forMs: ATTACK_MS })
    const overMs = performance.now() + ATTACK_MS
    const ending = attacker.attack()
    const beside = await wait(cheapest, () => performance.now() < overMs)
    const { statuses, endsMs } = await ending
    return {
      unitMs: attacker.unitMs,
      aloneMs: alone.map(({ startMs, endMs }) => endMs - startMs),
      beside: beside.map(({ startMs, endMs }): Wait => ({
        ms: endMs - startMs,
        overtakenBy: endsMs.filter((ms) => ms > startMs && ms < endMs).length,
      })),
      answers: [...statuses],
    }
  }
}
