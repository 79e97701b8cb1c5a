/** Polls a server every 5 ms from a process of its own until stdin ends, then prints the longest wait in milliseconds. */
import { setTimeout as delay } from 'node:timers/promises'

const url = process.argv[2] ?? ''
let longestMs = 0
process.stdin.resume()
while (!process.stdin.readableEnded) {
  const startMs = performance.now()
  await (await fetch(`${url}/healthz`)).text()
  longestMs = Math.max(longestMs, performance.now() - startMs)
  await delay(5)
}
console.log(longestMs)
