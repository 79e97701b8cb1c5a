import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A response as received, including interim responses (1xx). */
export interface RawAnswer {
  status: number
  headers: Readonly<Record<string, string>>
  body: string
}

/** A bare connection to a server, for requests that no HTTP client would send. */
export interface RawConnection extends Disposable {
  socket: Socket
  send(text: string | Uint8Array): void
  /** The complete responses so far. */
  answers(): RawAnswer[]
  /** Waits for this number of complete responses; fails if the connection ends first. */
  untilAnswers(count: number): Promise<RawAnswer[]>
  /** Waits until the server has ended its side, or reset the connection. */
  untilEnded(): Promise<'end' | 'reset'>
}

const LIMIT_MS = 60_000

export async function connectRaw(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  let text = ''
  let ended: 'end' | 'reset' | undefined
  socket.setTimeout(LIMIT_MS, () => socket.destroy(new Error('The server was silent for too long')))
  socket.on('data', (data) => {
    text += data.toString('latin1')
    socket.emit('progress')
  })
  socket.on('end', () => {
    ended ??= 'end'
    socket.emit('progress')
  })
  socket.on('error', () => (ended ??= 'reset'))
  socket.on('close', () => {
    ended ??= 'reset'
    socket.emit('progress')
  })
  await once(socket, 'connect')
  return {
    socket,
    send: (bytes) => void socket.write(bytes),
    answers: () => parseAnswers(text),
    async untilAnswers(count) {
      for (;;) {
        const answers = parseAnswers(text)
        if (answers.length >= count) return answers
        if (ended !== undefined) throw new Error(`${ended} after ${answers.length} answers`)
        await once(socket, 'progress')
      }
    },
    async untilEnded() {
      for (;;) {
        if (ended !== undefined) return ended
        await once(socket, 'progress')
      }
    },
    [Symbol.dispose]: () => void socket.destroy(),
  }
}

/** Parses the complete responses at the beginning of a text. */
function parseAnswers(text: string): RawAnswer[] {
  const answers: RawAnswer[] = []
  for (let rest = text; ;) {
    const end = rest.indexOf('\r\n\r\n')
    if (end === -1) return answers
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1])
    if (Number.isNaN(status)) throw new Error(`Not a response: ${rest.slice(0, 60)}`)
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
      }),
    )
    const bytes = status < 200 ? 0 : Number(headers['content-length'])
    if (Number.isNaN(bytes)) throw new Error('A response without content-length')
    const body = rest.slice(end + 4, end + 4 + bytes)
    if (body.length < bytes) return answers
    answers.push({ status, headers, body })
    rest = rest.slice(end + 4 + bytes)
  }
}
