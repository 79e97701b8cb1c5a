/** A webhook receiver in its own process. Answers 204 and reports delivery latencies. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceiverStats {
  received: number
  /** Milliseconds from each event to its arrival, sorted. */
  latenciesMs: number[]
}

const SLOW_MS = 50

let received = 0
let latenciesMs: number[] = []

const server = createServer((request, response) => {
  if (request.url === '/count') {
    response.end(String(received))
    return
  }
  if (request.url === '/stats') {
    const stats: ReceiverStats = { received, latenciesMs: latenciesMs.toSorted((a, b) => a - b) }
    response.end(JSON.stringify(stats))
    received = 0
    latenciesMs = []
    return
  }
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    // Simulates an endpoint that hangs.
    if (request.url === '/hangs') return
    if (request.url === '/slow') {
      setTimeout(() => response.writeHead(204).end(), SLOW_MS)
      return
    }
    received++
    const sentMs = Number(/"sent_ms":([\d.]+)/.exec(String(Buffer.concat(chunks)))?.[1])
    if (sentMs > 0) latenciesMs.push(performance.timeOrigin + performance.now() - sentMs)
    response.writeHead(204).end()
  })
})
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
