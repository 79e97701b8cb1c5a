import dgram from 'node:dgram'
import { isIPv6 } from 'node:net'
import { promisify } from 'node:util'
import { TransportError } from './transport-error.ts'

/** Address and port of one end of a socket. */
export interface Endpoint {
  readonly address: string
  readonly port: number
}

export interface DatagramHandlers {
  onDatagram(bytes: Uint8Array, from: Endpoint): void
  /** A watched peer reported by ICMP that nothing listens there, or a router that there is no way. */
  onUnreachable(peer: Endpoint): void
}

export interface DatagramSocket {
  readonly local: Endpoint
  /** @throws TransportError */
  send(bytes: Uint8Array, peer: Endpoint): Promise<void>
  /** Listens to ICMP errors of a peer from now on. */
  watch(peer: Endpoint): void
  close(): Promise<void>
}

/** The trunks of one user agent, and more. */
const MAX_WATCHED = 32

/** Only there do several sockets of one port divide datagrams as `watch` needs it. */
const CAN_WATCH = process.platform === 'linux'

/** Room for the responses to many calls placed at once. The kernel may grant less. */
const RECEIVE_BYTES = 1024 * 1024

const create = (address: string, isShared: boolean): dgram.Socket =>
  dgram.createSocket({
    type: isIPv6(address) ? 'udp6' : 'udp4',
    reusePort: isShared,
    recvBufferSize: RECEIVE_BYTES,
    // Peers have addresses, not names. Without this, Node asks the resolver for each datagram.
    lookup: (host, _options, answer) => answer(null, host, isIPv6(host) ? 6 : 4),
  })

async function bind(socket: dgram.Socket, { address, port }: Endpoint): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  socket.once('error', reject)
  socket.bind({ address, port }, resolve)
  try {
    await promise
  } catch (cause) {
    throw new TransportError('unbound', { cause })
  } finally {
    socket.off('error', reject)
  }
}

const close = (socket: dgram.Socket): Promise<void> => promisify(socket.close.bind(socket))()

const sendFrom = (socket: dgram.Socket, bytes: Uint8Array, { port, address }: Endpoint): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.send(bytes, port, address, (error) => (error === null ? resolve() : reject(error)))
  })

/** Fails if any other socket has this port, which a shared one of the same user would not notice. */
async function claim(local: Endpoint): Promise<void> {
  const probe = create(local.address, false)
  try {
    await bind(probe, local)
  } finally {
    await close(probe)
  }
}

/** Opens a UDP socket. @param local a port of 0 takes a free one @throws TransportError `unbound` */
export async function openDatagramSocket(
  local: Endpoint,
  handlers: DatagramHandlers,
): Promise<DatagramSocket> {
  if (local.port !== 0) await claim(local)
  const socket = create(local.address, CAN_WATCH)
  await bind(socket, local)
  const { address, port } = socket.address()
  const watchers = new Map<string, dgram.Socket>()
  let closing: Promise<unknown> | undefined

  const receive = (bytes: Uint8Array, from: Endpoint) =>
    handlers.onDatagram(bytes, { address: from.address, port: from.port })
  socket.on('message', receive)
  // Whatever is wrong with one datagram, the next can be sent.
  socket.on('error', () => {})

  function startWatching(peer: Endpoint): void {
    const watcher = create(address, true)
    watchers.set(keyOf(peer), watcher)
    watcher.on('message', receive)
    watcher.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'ECONNREFUSED' || code === 'EHOSTUNREACH') handlers.onUnreachable(peer)
    })
    watcher.bind({ port, address }, () => {
      if (watchers.get(keyOf(peer)) === watcher) watcher.connect(peer.port, peer.address)
    })
  }

  return {
    local: { address, port },
    async send(bytes, peer) {
      if (closing !== undefined) throw new TransportError('closed')
      if (isIPv6(peer.address) !== isIPv6(address)) throw new TransportError('unsupported')
      try {
        await sendFrom(socket, bytes, peer)
      } catch (cause) {
        throw new TransportError(isTooLarge(cause) ? 'unsendable' : 'unreachable', { cause })
      }
    },
    // The kernel reports ICMP errors only to a connected socket: a second one of the same port, which from then on also receives
    // what this peer sends.
    watch(peer) {
      const key = keyOf(peer)
      if (!CAN_WATCH || closing !== undefined || watchers.has(key)) return
      const [oldest] = watchers
      if (oldest !== undefined && watchers.size >= MAX_WATCHED) {
        watchers.delete(oldest[0])
        oldest[1].close()
      }
      startWatching(peer)
    },
    async close() {
      closing ??= Promise.all([socket, ...watchers.values()].map(close))
      watchers.clear()
      await closing
    },
  }
}

const keyOf = ({ address, port }: Endpoint) => `${address} ${port}`

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EMSGSIZE'
