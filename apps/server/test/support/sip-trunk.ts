import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** A trunk over UDP that is up, and answers each INVITE as a test wants it to. */
export interface SipTrunk extends AsyncDisposable {
  readonly port: number
  /** Numbers that were called, once for each call. */
  called(): string[]
}

const COPIED = /^(?:via|from|to|call-id|cseq):.*$/gim

/** @param answersTo returns the responses to an INVITE for a number, such as `180 Ringing`; an empty list keeps silent */
export async function startSipTrunk(answersTo: (number: string) => readonly string[]): Promise<SipTrunk> {
  const calls = new Map<string, string>()
  const socket = createSocket('udp4')
  socket.on('message', (datagram, { port, address }) => {
    const request = datagram.toString()
    const respond = (status: string) => {
      const copied = (request.match(COPIED) ?? []).map((line) => line.replace(/^to:[^;]*$/i, '$&;tag=theirs'))
      socket.send([`SIP/2.0 ${status}`, ...copied, 'Content-Length: 0', '', ''].join('\r\n'), port, address)
    }
    const [, method, number = ''] = /^(\w+) sips?:(?:([^@\s]*)@)?/.exec(request) ?? []
    if (method === 'OPTIONS') respond('200 OK')
    if (method !== 'INVITE') return
    calls.set(/^call-id:\s*(\S+)/im.exec(request)?.[1] ?? '', number)
    for (const status of answersTo(number)) respond(status)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    port: socket.address().port,
    called: () => [...calls.values()],
    [Symbol.asyncDispose]: () => new Promise((resolve) => void socket.close(() => resolve())),
  }
}
