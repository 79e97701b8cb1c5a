import { once } from 'node:events'
import { WebSocket } from 'undici'
import type { BenchServer } from './server.ts'
import { type Source, TEXT } from './sources.ts'

/** A session that takes one text after another. */
interface Session {
  readonly socket: WebSocket
  /** Audio and marks that arrived and were not taken. */
  readonly arrived: (Uint8Array | string)[]
  wake: () => void
}

/**
 * The WebSocket of `/v1/engine/stream`, whose text is broken off by `cancel`.
 *
 * @param opens - whether `prepare` opens sessions, which stay open; each text has a new one otherwise
 */
export function socketSource({ url, key }: BenchServer, { opens }: { opens: boolean }): Source & Disposable {
  const idle: Session[] = []
  const all: Session[] = []

  async function open(): Promise<Session> {
    const address = new URL('/v1/engine/stream?model=synth-v1', url.replace(/^http/, 'ws'))
    const socket = new WebSocket(address, ['vaani.v1', `vaani.key.${key}`])
    socket.binaryType = 'arraybuffer'
    const session: Session = { socket, arrived: [], wake: () => undefined }
    socket.addEventListener('message', ({ data }) => {
      session.arrived.push(typeof data === 'string' ? data : new Uint8Array(data))
      session.wake()
    })
    await once(socket, 'open')
    all.push(session)
    return session
  }

  async function take(session: Session): Promise<Uint8Array | string> {
    for (;;) {
      const next = session.arrived.shift()
      if (next !== undefined) return next
      if (session.socket.readyState !== WebSocket.OPEN) throw new Error('The session was closed')
      await new Promise<void>((resolve) => (session.wake = resolve))
    }
  }

  const typeOf = (message: string): unknown => JSON.parse(message).type
  const say = ({ socket }: Session, message: object) => socket.send(JSON.stringify(message))

  return {
    name: `WebSocket /v1/engine/stream${opens ? '' : ', new sessions'}`,
    async prepare(atOnce) {
      if (!opens) return
      const missing = Math.max(0, atOnce - idle.length)
      idle.push(...(await Promise.all(Array.from({ length: missing }, open))))
    },
    async *open(text = TEXT) {
      const session = idle.pop() ?? (await open())
      say(session, { type: 'speak', text })
      say(session, { type: 'flush' })
      try {
        for (;;) {
          const next = await take(session)
          if (typeof next !== 'string') yield next
          else if (typeOf(next) === 'flushed') return
          else if (typeOf(next) === 'error') throw new Error(next)
        }
      } finally {
        say(session, { type: 'cancel' })
        for (let next = await take(session); ; next = await take(session))
          if (typeof next === 'string' && typeOf(next) === 'canceled') break
        if (opens) idle.push(session)
        else session.socket.close()
      }
    },
    [Symbol.dispose]() {
      for (const { socket } of all) socket.close()
    },
  }
}
