import { WebSocket } from 'ws'
import type { PeerDialect, PeerStreamDialect, StreamCommand, StreamIds } from './peer-dialect.ts'

const FRAME_MS = 20
/** RFC 6455, section 7.4.1. */
const NORMAL = 1000

interface StreamOptions {
  readonly url: string
  readonly dialect: PeerDialect
  readonly ids: StreamIds
  readonly parameters: Readonly<Record<string, string>>
  readonly echoes: boolean
  /** The socket is gone, whoever closed it. */
  readonly onClosed: () => void
}

/**
 * The far end of a media stream, by the providers' public documents: plays what it gets in real time, returns each mark when what came before
 * it was played or cleared, and sends 20 ms of its own audio each 20 ms.
 */
export class PeerStream {
  readonly #options: StreamOptions
  readonly #socket: WebSocket
  readonly #queue: (Buffer | string)[] = []
  readonly #playing: NodeJS.Timeout | undefined
  #dueMs = performance.now()
  #number = 1
  /** All frames that were played, as they are encoded, without the silence between them. */
  readonly heard: Buffer[] = []
  closeReason: string | undefined

  constructor(options: StreamOptions) {
    this.#options = options
    this.#socket = new WebSocket(options.url)
    this.#socket.on('open', () => this.#open())
    this.#socket.on('message', (data, isBinary) => {
      if (Buffer.isBuffer(data)) this.#receive(this.#dialect.read(data, isBinary))
    })
    this.#socket.on('error', () => undefined)
    this.#socket.on('close', (_code, reason) => {
      this.closeReason = String(reason)
      clearInterval(this.#playing)
      options.onClosed()
    })
    this.#playing = setInterval(() => this.#play(), FRAME_MS / 4)
  }

  press(digit: string): void {
    this.#send((ids, number) => this.#dialect.key(ids, number, digit))
  }

  /** Ends it as at the end of a call. */
  stop(): void {
    const { stop } = this.#dialect
    if (stop) this.#send(stop)
    this.#socket.close(NORMAL)
  }

  /** Ends it as a network does that fails. */
  breakOff(): void {
    this.#socket.terminate()
  }

  sendRaw(text: string): void {
    this.#socket.send(text)
  }

  get #dialect(): PeerStreamDialect {
    return this.#options.dialect.stream
  }

  #open(): void {
    const { ids, parameters } = this.#options
    for (const text of this.#dialect.opening(ids, parameters)) this.#socket.send(text)
    this.#dueMs = performance.now()
  }

  #send(write: (ids: StreamIds, number: number) => string | Buffer): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return
    this.#socket.send(write(this.#options.ids, (this.#number += 1)))
  }

  #receive(command: StreamCommand): void {
    const { length } = this.#dialect.silence
    switch (command.type) {
      case 'media':
        for (let at = 0; at < command.payload.length; at += length)
          this.#queue.push(command.payload.subarray(at, at + length))
        return
      case 'mark':
        return void this.#queue.push(command.name)
      case 'clear':
        for (const item of this.#queue.splice(0)) if (typeof item === 'string') this.#returnMark(item)
        return
      case 'other':
        return
    }
  }

  #returnMark(name: string): void {
    this.#send((ids, number) => this.#dialect.mark(ids, number, name))
  }

  #play(): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return
    for (; this.#dueMs <= performance.now(); this.#dueMs += FRAME_MS) {
      this.#returnMarks()
      const frame = this.#queue.shift()
      if (Buffer.isBuffer(frame)) this.heard.push(frame)
      this.#returnMarks()
      const said = this.#options.echoes && Buffer.isBuffer(frame) ? frame : this.#dialect.silence
      this.#send((ids, number) => this.#dialect.media(ids, number, said))
    }
  }

  #returnMarks(): void {
    for (let item = this.#queue[0]; typeof item === 'string'; item = this.#queue[0]) {
      this.#queue.shift()
      this.#returnMark(item)
    }
  }
}
