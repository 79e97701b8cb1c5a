import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** A trunk over UDP that is up, and answers each INVITE as a test wants it to. */
export interface SipTrunk extends AsyncDisposable {
  readonly port: number
  /** Numbers that were called, once for each call. */
  called(): string[]
  /** Ids of the calls that were hung up, once for each BYE. */
  hungUp(): string[]
}

/** What a call is answered with. Nobody listens at the port. */
const AUDIO = [
  'v=0',
  'o=- 1 1 IN IP4 127.0.0.1',
  's=-',
  'c=IN IP4 127.0.0.1',
  't=0 0',
  'm=audio 9 RTP/AVP 0',
  '',
].join('\r\n')

const COPIED = /^(?:via|from|to|call-id|cseq):.*$/gim

/** @param answersTo returns the responses to an INVITE for a number, such as `180 Ringing`; an empty list keeps silent */
export async function startSipTrunk(answersTo: (number: string) => readonly string[]): Promise<SipTrunk> {
  const calls = new Map<string, string>()
  const byes: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (datagram, { port, address }) => {
    const request = datagram.toString()
    const [, method, number = ''] = /^(\w+) sips?:(?:([^@\s]*)@)?/.exec(request) ?? []
    const callId = /^call-id:\s*(\S+)/im.exec(request)?.[1] ?? ''
    const respond = (status: string) => {
      const copied = (request.match(COPIED) ?? []).map((line) => line.replace(/^to:[^;]*$/i, '$&;tag=theirs'))
      const isAnswer = status.startsWith('200') && method === 'INVITE'
      const body = isAnswer ? AUDIO : ''
      const more = isAnswer
        ? [`Contact: <sip:them@127.0.0.1:${socket.address().port}>`, 'Content-Type: application/sdp']
        : []
      const lines = [`SIP/2.0 ${status}`, ...copied, ...more, `Content-Length: ${body.length}`, '', body]
      socket.send(lines.join('\r\n'), port, address)
    }
    if (method === 'BYE') byes.push(callId)
    if (method === 'OPTIONS' || method === 'BYE') respond('200 OK')
    if (method !== 'INVITE') return
    calls.set(callId, number)
    for (const status of answersTo(number)) respond(status)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    port: socket.address().port,
    called: () => [...calls.values()],
    hungUp: () => [...byes],
    [Symbol.asyncDispose]: () => new Promise((resolve) => void socket.close(() => resolve())),
  }
}
