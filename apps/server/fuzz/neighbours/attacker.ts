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

/** What it reports first: the time of one request by itself. */
export interface AloneMessage {
  ms: number
}

/** What it reports at its end: how often each status was answered, and when requests ended that were not refused for their rate. */
export interface EndedMessage {
  statuses: ReadonlyMap<number, number>
  /** Since the epoch, so that another thread can compare them. */
  endsMs: readonly number[]
}

const REFUSED_MS = 100

const { server, key, index, forMs }: AttackerData = workerData
const attack = ATTACKS[index]
if (parentPort === null || attack === undefined) throw new Error('It runs as a thread, with an attack')
const { expensive, atOnce } = attack
const report = (message: AloneMessage | EndedMessage): void => parentPort?.postMessage(message)

const { ms } = await send(server, expensive, key)
const goOn = once(parentPort, 'message')
report({ ms })
await goOn
const statuses = new Map<number, number>()
const endsMs: number[] = []
// Requests that have not been answered by then are given up, because some take minutes.
const over = AbortSignal.timeout(forMs)
async function goOnSending(): Promise<void> {
  while (!over.aborted) {
    const { status } = await send(server, expensive, key, over)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (status === 429) await delay(REFUSED_MS)
    else endsMs.push(performance.timeOrigin + performance.now())
  }
}
await Promise.all(
  Array.from({ length: atOnce }, () =>
    goOnSending().catch((error: unknown) => {
      if (!over.aborted) throw error
    }),
  ),
)
report({ statuses, endsMs })
parentPort.close()
