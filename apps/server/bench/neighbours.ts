/**
 * `pnpm bench neighbours`: one account sends the most expensive requests that are known, all the time, and another the cheapest of the same
 * kind. How long do these take beside the others, and alone? Nobody should wait longer than one of the expensive requests takes by
 * itself. Each account has a thread of its own. Runs the built server: `pnpm build` first.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { AloneMessage, AttackerData, EndedMessage } from './neighbours/attacker.ts'
import { ATTACKS, type Attack, json, type Sent } from './neighbours/attacks.ts'
import { send } from './neighbours/send.ts'
import { startServer } from './speech/server.ts'
import { median, printTable } from './speech/statistics.ts'

const ALONE = 20
const ATTACK_MS = 8000

await using server = await startServer()

async function createAccount(name: string, rate_overrides: object): Promise<string> {
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

const OFTEN = { limit: 100_000, period_seconds: 1 }
const neighbour = await createAccount('neighbour', {
  chat: OFTEN,
  ocr: OFTEN,
  speech_stream: OFTEN,
  synthesis_light: OFTEN,
})

/** Sends the cheapest requests one after another. @throws Error if one is refused */
async function wait(cheapest: Sent, goesOn: (sent: number) => boolean): Promise<number[]> {
  const times: number[] = []
  while (goesOn(times.length)) {
    const { status, ms } = await send(server.url, cheapest, neighbour)
    if (status !== 200) throw new Error(`The neighbour was answered ${status}`)
    times.push(ms)
  }
  return times
}

/** Starts the thread of an attack. @returns the time of one request by itself, and a function that begins the attack */
async function startAttacker(data: AttackerData) {
  const thread = new Worker(new URL('neighbours/attacker.ts', import.meta.url), { workerData: data })
  const [alone]: AloneMessage[] = await once(thread, 'message')
  return {
    unitMs: alone?.ms ?? Number.NaN,
    async attack() {
      thread.postMessage('go on')
      const [ended]: EndedMessage[] = await once(thread, 'message')
      return [...(ended?.statuses ?? [])]
    },
  }
}

async function measure({ name, atOnce, cheapest }: Attack, index: number): Promise<(string | number)[]> {
  await wait(cheapest, (sent) => sent < 3)
  const alone = await wait(cheapest, (sent) => sent < ALONE)
  // A new one each time, whose rates are not used up.
  const key = await createAccount(name, {})
  const { unitMs, attack } = await startAttacker({ server: server.url, key, index, forMs: ATTACK_MS })
  const endMs = performance.now() + ATTACK_MS
  const ended = attack()
  const beside = await wait(cheapest, () => performance.now() < endMs)
  const answers = (await ended).map(([status, count]) => `${count} × ${status}`).join(', ')
  const cells = [unitMs, median(alone), Math.max(...alone), median(beside), Math.max(...beside)]
  return [name, atOnce, answers || `none in ${ATTACK_MS / 1000} s`, ...cells.map((ms) => ms.toFixed(0))]
}

const rows = []
for (const [index, attack] of ATTACKS.entries()) rows.push(await measure(attack, index))
console.log('Milliseconds of the cheapest request of another account\n')
printTable(
  ['expensive', 'at once', 'answered', 'one alone', 'cheapest alone', 'its worst', 'beside', 'its worst'],
  rows,
)
