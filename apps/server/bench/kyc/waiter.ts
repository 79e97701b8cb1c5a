/**
 * Polls a server every 5 ms from a process of its own. Prints `ready` once it is warm, because the first requests of a process take
 * tens of milliseconds; after stdin ends, prints the longest wait since then in milliseconds.
 */
import { setTimeout as delay } from 'node:timers/promises'

const WARM_UP = 200
const url = process.argv[2] ?? ''

async function poll(): Promise<number> {
  const startMs = performance.now()
  await (await fetch(`${url}/healthz`)).text()
  return performance.now() - startMs
}

for (let polls = 0; polls < WARM_UP; polls++) await poll()
console.log('ready')
let longestMs = 0
process.stdin.resume()
while (!process.stdin.readableEnded) {
  longestMs = Math.max(longestMs, await poll())
  await delay(5)
}
console.log(longestMs)
