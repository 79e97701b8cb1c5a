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
  let count = 0
  const pass = (bytes: Uint8Array, from: Socket, port: number | undefined) => {
    count += 1
    if (port === undefined) return
    for (let left = copies(); left > 0; left -= 1) from.send(bytes, port, HOST)
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
    count: () => count,
  }
}

async function open(): Promise<Socket> {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 1024 * 1024 })
  socket.bind(0, HOST)
  await once(socket, 'listening')
  return socket
}
