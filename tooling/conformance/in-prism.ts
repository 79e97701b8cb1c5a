/** Loaded into the process of Prism, whose own log is off: makes it print its address and end with its parent, however that ends. */
import { subscribe } from 'node:diagnostics_channel'
import { Server } from 'node:net'

// The other end of its input is closed then.
process.stdin.resume().once('end', () => process.exit())

subscribe('tracing:net.server.listen:asyncEnd', (message) => {
  if (typeof message !== 'object' || message === null || !('server' in message)) return
  const address = message.server instanceof Server ? message.server.address() : null
  if (address !== null && typeof address === 'object')
    process.stdout.write(`Prism listens on http://127.0.0.1:${address.port}\n`)
})
