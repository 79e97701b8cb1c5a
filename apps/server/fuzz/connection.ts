import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type Answer, parseAnswer } from './parse-answer.ts'

/** How a wait ended without a response. */
export type Silence = 'closed' | 'reset' | 'hang'

/** A bare connection to a server, for requests that no HTTP client would send. */
export interface Connection extends Disposable {
  /** Whether another request may be sent. */
  isOpen(): boolean
  /** Resolves when the bytes are handed to the operating system, or the connection is gone. */
  write(bytes: Uint8Array): Promise<void>
  /** Ends our side; the server may still answer. */
  end(): void
  /** Waits for the next final response, skipping interim ones. */
  next(options?: NextOptions): Promise<Answer | Silence>
}

export interface NextOptions {
  isHead?: boolean
  /** A longer body is cut off and the connection closed. */
  maxBodyBytes?: number
}

/** Ends only what hangs: on a busy machine a process that opens pictures takes tens of seconds to start. */
const LIMIT_MS = 120_000
const MAX_BODY_BYTES = 1_000_000

export async function openConnection(url: string): Promise<Connection> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true, noDelay: true })
  const received = collect(socket)
  await once(socket, 'connect')
  let closing = false

  async function next({ isHead = false, maxBodyBytes = MAX_BODY_BYTES }: NextOptions = {}): Promise<
    Answer | Silence
  > {
    const deadline = performance.now() + LIMIT_MS
    for (;;) {
      const bytes = received.bytes()
      const parsed = bytes.length > 0 ? parseAnswer(bytes, { isHead, maxBodyBytes }) : null
      if (parsed !== null) {
        received.take(parsed.length)
        if (parsed.answer.status < 200) continue
        closing ||=
          !parsed.isWhole || parsed.answer.headers.get('connection')?.join().toLowerCase() === 'close'
        if (!parsed.isWhole) socket.destroy()
        return parsed.answer
      }
      if (received.ended !== null) return received.ended
      if (!(await received.progress(deadline - performance.now()))) return 'hang'
    }
  }

  return {
    isOpen: () => !closing && received.ended === null && socket.writable,
    write: (bytes) =>
      new Promise((resolve) => {
        // A write failure surfaces in `next`, as a closed or reset connection.
        socket.write(bytes, () => resolve())
      }),
    end: () => void socket.end(),
    next,
    [Symbol.dispose]: () => void socket.destroy(),
  }
}

function collect(socket: Socket) {
  let chunks: Buffer[] = []
  let ended: Silence | null = null
  let wake: (() => void) | undefined
  const changed = () => wake?.()
  socket.on('data', (data: Buffer) => {
    chunks.push(data)
    changed()
  })
  socket.on('end', () => {
    ended ??= 'closed'
    changed()
  })
  socket.on('error', () => {
    ended ??= 'reset'
    changed()
  })
  socket.on('close', () => {
    ended ??= 'closed'
    changed()
  })
  return {
    get ended() {
      return ended
    },
    bytes(): Buffer {
      if (chunks.length > 1) chunks = [Buffer.concat(chunks)]
      return chunks[0] ?? Buffer.alloc(0)
    },
    take(length: number): void {
      const rest = this.bytes().subarray(length)
      chunks = rest.length > 0 ? [rest] : []
    },
    /** Waits for an event, and reports whether one came in time. */
    async progress(withinMs: number): Promise<boolean> {
      let timer: NodeJS.Timeout | undefined
      const isInTime = await new Promise<boolean>((resolve) => {
        wake = () => resolve(true)
        timer = setTimeout(resolve, Math.max(0, withinMs), false)
      })
      clearTimeout(timer)
      wake = undefined
      return isInTime
    },
  }
}
