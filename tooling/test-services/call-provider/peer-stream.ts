import { WebSocket } from 'ws'
import type { PeerDialect, StreamIds } from './dialects.ts'

const FRAME_BYTES = 160
const FRAME_MS = 20
const SILENCE = Buffer.alloc(FRAME_BYTES, 0xff)

interface StreamOptions {
  readonly url: string
  readonly dialect: PeerDialect
  readonly ids: StreamIds
  readonly parameters: Readonly<Record<string, string>>
  readonly echoes: boolean
  /** The socket is gone, whoever closed it. */
  readonly onClosed: () => void
}

/** Messages of ours that matter to it, read without any trust in them. */
interface Incoming {
  readonly event?: string
  readonly media?: { readonly payload?: string }
  readonly mark?: { readonly name?: string }
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
  #sequence = 0
  #chunk = 0
  /** μ-law of all frames that were played, without the silence between them. */
  readonly heard: Buffer[] = []
  closeReason: string | undefined

  constructor(options: StreamOptions) {
    this.#options = options
    this.#socket = new WebSocket(options.url)
    this.#socket.on('open', () => this.#open())
    this.#socket.on('message', (data) => this.#receive(JSON.parse(String(data))))
    this.#socket.on('error', () => undefined)
    this.#socket.on('close', (_code, reason) => {
      this.closeReason = String(reason)
      clearInterval(this.#playing)
      options.onClosed()
    })
    this.#playing = setInterval(() => this.#play(), FRAME_MS / 4)
  }

  press(digit: string): void {
    this.#send('dtmf', { dtmf: { track: 'inbound_track', digit } })
  }

  /** Ends it as at the end of a call. */
  stop(): void {
    this.#send('stop', { stop: {} })
    this.#socket.close()
  }

  /** Ends it as a network does that fails. */
  breakOff(): void {
    this.#socket.terminate()
  }

  sendRaw(text: string): void {
    this.#socket.send(text)
  }

  #open(): void {
    const { dialect, ids, parameters } = this.#options
    this.#socket.send(JSON.stringify({ event: 'connected', version: '1.0.0' }))
    this.#sequence = 1
    this.#socket.send(JSON.stringify({ event: 'start', ...dialect.start(ids, parameters) }))
    this.#dueMs = performance.now()
  }

  #send(event: string, members: object): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return
    const { dialect, ids } = this.#options
    const address = dialect.address(ids, (this.#sequence += 1))
    this.#socket.send(JSON.stringify({ event, ...address, ...members }))
  }

  #receive({ event, media, mark }: Incoming): void {
    if (event === 'media') {
      const payload = Buffer.from(media?.payload ?? '', 'base64')
      for (let at = 0; at < payload.length; at += FRAME_BYTES)
        this.#queue.push(payload.subarray(at, at + FRAME_BYTES))
    } else if (event === 'mark') this.#queue.push(mark?.name ?? '')
    else if (event === 'clear')
      for (const item of this.#queue.splice(0)) if (typeof item === 'string') this.#returnMark(item)
  }

  #returnMark(name: string): void {
    this.#send('mark', { mark: { name } })
  }

  #play(): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return
    for (; this.#dueMs <= performance.now(); this.#dueMs += FRAME_MS) {
      this.#returnMarks()
      const frame = this.#queue.shift()
      if (Buffer.isBuffer(frame)) this.heard.push(frame)
      this.#returnMarks()
      const payload = this.#options.echoes && Buffer.isBuffer(frame) ? frame : SILENCE
      const chunk = String((this.#chunk += 1))
      const timestamp = String(this.#chunk * FRAME_MS)
      this.#send('media', {
        media: { track: 'inbound', chunk, timestamp, payload: payload.toString('base64') },
      })
    }
  }

  #returnMarks(): void {
    for (let item = this.#queue[0]; typeof item === 'string'; item = this.#queue[0]) {
      this.#queue.shift()
      this.#returnMark(item)
    }
  }
}
