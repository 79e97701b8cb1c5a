import { type Server, STATUS_CODES } from 'node:http'
import { Socket } from 'node:net'
import { SOCKETS } from '@vaani/contracts'
import { type WebSocket, WebSocketServer } from 'ws'
import { API_KEY, type SeenRequest } from '../faults/fault.ts'
import type { Peer, Upgrade } from '../faults/socket-steps.ts'

const { path, protocol, keyProtocolPrefix, clientMessages, serverMessages } = SOCKETS.engineStream
const OFFERED = `${protocol}, ${keyProtocolPrefix}${API_KEY}`

/** Hands over who asks for the WebSocket of the contract by its protocols; refuses others, as a service does. */
export function acceptUpgrades(
  server: Server,
  ask: (request: SeenRequest, socket: Socket, upgrade: Upgrade) => void,
): void {
  server.on('upgrade', (request, socket, head) => {
    if (!(socket instanceof Socket)) throw new TypeError('An upgrade comes over a socket')
    // The client may go at any time; its own error is what is looked at.
    socket.on('error', () => undefined)
    // Else one that goes before it is answered is never let go.
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
        // At once, or never where it is no upgrade of a WebSocket.
        server.handleUpgrade(request, socket, head, (webSocket) => peers.push(peerOf(webSocket, seen)))
        if (!peers[0]) throw new TypeError('It asks for no WebSocket')
        return peers[0]
      },
    })
  })
}

/** A message that the contract does not know is a fault of the client, and fails the process of the tests. */
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
