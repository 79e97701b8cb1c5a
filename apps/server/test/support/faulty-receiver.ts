import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

const BYTE_MS = 50
const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'

function pour(socket: Socket, piece: string): void {
  const more = () => {
    while (socket.write(piece));
  }
  socket.on('drain', more)
  more()
}

function drip(socket: Socket, start: string, byte: string): void {
  socket.write(start)
  const timer = setInterval(() => socket.write(byte), BYTE_MS)
  socket.once('close', () => clearInterval(timer))
}

/** Ways in which a receiver misbehaves instead of answering a request. */
export const FAULTS = {
  hangs: () => undefined,
  resets: (socket) => socket.resetAndDestroy(),
  closes: (socket) => socket.end(),
  failsOnce: (socket) => socket.end('HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\n\r\n'),
  speaksGarbage: (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'),
  speaksZeros: (socket) => pour(socket, '\0'.repeat(65_536)),
  closesInHeaders: (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-le'),
  dripsHeaders: (socket) => drip(socket, 'HTTP/1.1 200 OK\r\nx-drip: ', 'x'),
  floodsHeaders: (socket) => pour(socket, `HTTP/1.1 200 OK\r\n${'x-flood: 1\r\n'.repeat(5000)}`),
  floodsInterim: (socket) => drip(socket, '', 'HTTP/1.1 102 Processing\r\n\r\n'),
  switchesProtocols: (socket) =>
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'),
  dripsBody: (socket) => drip(socket, chunked, '1\r\nx\r\n'),
  floodsBody: (socket) => {
    socket.write(chunked)
    pour(socket, `10000\r\n${'x'.repeat(65_536)}\r\n`)
  },
  breaksBodyOff: (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort'),
  breaksChunks: (socket) => socket.end(`${chunked}not a length\r\n`),
} satisfies Record<string, (socket: Socket) => unknown>
export type Fault = keyof typeof FAULTS

export interface FaultyReceiver extends AsyncDisposable {
  url: string
}

/** Starts a receiver that meets the first requests with a fault, and answers the later ones with 200. */
export async function startFaultyReceiver(fault: Fault, times = 1): Promise<FaultyReceiver> {
  const sockets = new Set<Socket>()
  let left = times
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    // A delivery arrives in one or two chunks; its headers are enough to answer it.
    socket.on('data', (piece: Buffer) => {
      if (!piece.includes('POST ')) return
      if (left-- > 0) FAULTS[fault](socket)
      else socket.write(OK)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${fault}`,
    async [Symbol.asyncDispose]() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}
