import { type Server, STATUS_CODES } from 'node:http'
import { Socket } from 'node:net'
import { SOCKETS } from '@vaani/contracts'
import { type WebSocket, WebSocketServer } from 'ws'
import { API_KEY, type SeenRequest } from '../faults/fault.ts'
import type { Peer, Upgrade } from '../faults/socket-steps.ts'

const { path, protocol, keyProtocolPrefix, clientMessages, serverMessages } = SOCKETS.engineStream
const OFFERED = `${protocol}, ${keyProtocolPrefix}${API_KEY}`

/** Passes on upgrades to the WebSocket of the contract that offer its subprotocols; refuses all others, like a service. */
export function acceptUpgrades(
  server: Server,
  ask: (request: SeenRequest, socket: Socket, upgrade: Upgrade) => void,
): void {
  server.on('upgrade', (request, socket, head) => {
    if (!(socket instanceof Socket)) throw new TypeError('An upgrade comes over a socket')
    // The client may disconnect at any time; the row checks its own error.
    socket.on('error', () => undefined)
    // Without this, a socket that ends before the response would never be released.
    socket.on('end', () => socket.end()).resume()
    const refuse = (status: number): void =>
      void socket.end(
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
      )
    const { method = '', url = '', headers } = request
    const seen = { method, url, headers, body: '' }
    if (url !== path || headers['sec-websocket-protocol']?.replace(/,\s*/, ', ') !== OFFERED)
      return refuse(401)
    ask(seen, socket, {
      refuse,
      accept({ protocol: chosen } = { protocol }) {
        const peers: Peer[] = []
        const server = new WebSocketServer({ noServer: true, handleProtocols: () => chosen })
        // Calls back synchronously, or never if the request is not a WebSocket upgrade.
        server.handleUpgrade(request, socket, head, (webSocket) => peers.push(peerOf(webSocket, seen)))
        if (!peers[0]) throw new TypeError('The request is not a WebSocket upgrade')
        return peers[0]
      },
    })
  })
}

/** Validates messages. An invalid one is a bug of the client and crashes the test process. */
function peerOf(webSocket: WebSocket, seen: { body: string }): Peer {
  let hear: Parameters<Peer['onMessage']>[0] = () => undefined
  webSocket.on('message', (data) => {
    const text = String(data)
    seen.body += `${text}\n`
    hear(clientMessages.parse(JSON.parse(text)))
  })
  return {
    onMessage: (next) => void (hear = next),
    say: (message) => webSocket.send(JSON.stringify(serverMessages.parse(message))),
    send: (data) => webSocket.send(data),
    pause: () => webSocket.pause(),
    close: () => webSocket.close(),
  }
}
