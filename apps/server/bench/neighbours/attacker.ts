/** A thread that sends the expensive request of an attack: once, and then all the time for a while. */
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { ATTACKS } from './attacks.ts'
import { send } from './send.ts'

/** Where, as whom and with which attack it begins. */
export interface AttackerData {
  server: string
  key: string
  /** Index of the attack. */
  index: number
  forMs: number
}

/** What it tells first: the time of one request by itself. */
export interface AloneMessage {
  ms: number
}

/** What it tells at its end: how often each status was answered. */
export interface EndedMessage {
  statuses: ReadonlyMap<number, number>
}

const REFUSED_MS = 100

const { server, key, index, forMs }: AttackerData = workerData
const attack = ATTACKS[index]
if (parentPort === null || attack === undefined) throw new Error('It runs as a thread, with an attack')
const { expensive, atOnce } = attack
const tell = (message: AloneMessage | EndedMessage): void => parentPort?.postMessage(message)

const { ms } = await send(server, expensive, key)
const goOn = once(parentPort, 'message')
tell({ ms })
await goOn
const statuses = new Map<number, number>()
// Requests that have not been answered by then are given up, because some take minutes.
const over = AbortSignal.timeout(forMs)
async function goOnSending(): Promise<void> {
  while (!over.aborted) {
    const { status } = await send(server, expensive, key, over)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (status === 429) await delay(REFUSED_MS)
  }
}
await Promise.all(
  Array.from({ length: atOnce }, () =>
    goOnSending().catch((error: unknown) => {
      if (!over.aborted) throw error
    }),
  ),
)
tell({ statuses })
parentPort.close()
