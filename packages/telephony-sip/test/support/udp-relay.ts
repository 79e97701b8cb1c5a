import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import type { OnFinished } from './softphone-line.ts'

const HOST = '127.0.0.1'

/** A stretch of the way between a caller and a far end over UDP. */
export interface UdpRelay {
  /** Where the caller sends to. */
  readonly port: number
  /** Relays to a port of this machine from now on. */
  connect(port: number): void
  /** Returns the Call-IDs of the requests of a method that reached the far end. */
  arrived(method: string): ReadonlySet<string>
  /** Returns how many datagrams came, from both sides. */
  count(): number
}

/** Opens a relay. @param copies returns how often a datagram arrives: 0 if it is lost */
export async function openRelay(onFinished: OnFinished, copies: () => number): Promise<UdpRelay> {
  const [near, far] = await Promise.all([open(), open()])
  onFinished(async () => {
    near.close()
    far.close()
  })
  let farPort: number | undefined
  let nearPort: number | undefined
  const arrived = new Map<string, Set<string>>()
  let count = 0
  const note = (bytes: Uint8Array) => {
    const text = String(bytes)
    const method = text.slice(0, text.indexOf(' '))
    const callId = /^Call-ID: (\S+)/m.exec(text)?.[1] ?? ''
    arrived.set(method, (arrived.get(method) ?? new Set()).add(callId))
  }
  const pass = (bytes: Uint8Array, from: Socket, port: number | undefined) => {
    count += 1
    if (port === undefined) return
    const times = copies()
    if (from === far && times > 0) note(bytes)
    for (let left = times; left > 0; left -= 1) from.send(bytes, port, HOST)
  }
  near.on('message', (bytes, { port }) => {
    nearPort = port
    pass(bytes, far, farPort)
  })
  far.on('message', (bytes) => pass(bytes, near, nearPort))
  return {
    port: near.address().port,
    connect(port) {
      farPort = port
    },
    arrived: (method) => arrived.get(method) ?? new Set(),
    count: () => count,
  }
}

async function open(): Promise<Socket> {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 1024 * 1024 })
  socket.bind(0, HOST)
  await once(socket, 'listening')
  return socket
}
