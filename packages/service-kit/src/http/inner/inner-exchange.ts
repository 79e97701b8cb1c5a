import type { OutgoingHttpHeader, OutgoingHttpHeaders } from 'node:http'
import { Socket } from 'node:net'
import { IncomingMessage, ServerResponse } from '../../lifecycle/node-http.ts'
import type { Principal } from '../principal.ts'

/** Stands for the connection of all inner requests. It is never connected, and never ends. */
const NO_CONNECTION = new Socket().setMaxListeners(0)
const HEADERS = { host: 'localhost', 'content-type': 'application/json', accept: 'application/json' }
const RAW_HEADERS = Object.entries(HEADERS).flat()

/** A request that this process makes to itself on behalf of an account. None from a connection is of this class. */
export class InnerMessage extends IncomingMessage {
  readonly caller: Principal

  constructor(caller: Principal, { path, json }: { path: string; json: Buffer }) {
    super(NO_CONNECTION)
    this.caller = caller
    this.method = 'POST'
    this.url = path
    this.httpVersion = '1.1'
    const length = String(json.length)
    this.headers = { ...HEADERS, 'content-length': length }
    this.rawHeaders = [...RAW_HEADERS, 'content-length', length]
    this.complete = true
    this.push(json)
    this.push(null)
  }

  override _read(): void {}

  /** Node would destroy the connection, which all share. */
  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    callback(error)
  }
}

type Written = string | Uint8Array
type Callback = (error?: Error | null) => void

/**
 * A response that keeps its body instead of sending it. It has no socket: one that only discards costs as much as the rest of a
 * short request. Emits `finish` and `close` after its end, and `close` alone if it is destroyed before.
 */
export class InnerResponse extends ServerResponse<InnerMessage> {
  readonly #chunks: Uint8Array[] = []
  /** Node reports the state of a socket here. */
  override writableFinished = false

  /** What was written so far. */
  get written(): Buffer {
    return Buffer.concat(this.#chunks)
  }

  /** Keeps the headers, which Node would write without. */
  override writeHead(
    status: number,
    reason?: string | OutgoingHttpHeaders | OutgoingHttpHeader[],
    headers = typeof reason === 'string' ? undefined : reason,
  ): this {
    if (Array.isArray(headers)) throw new TypeError('The headers of a response must be an object')
    for (const [name, value] of Object.entries(headers ?? {}))
      if (value !== undefined) this.setHeader(name, value)
    return super.writeHead(status)
  }

  override write(chunk: Written, encoding?: BufferEncoding | Callback, callback?: Callback): boolean {
    if (!this.headersSent) this.writeHead(this.statusCode)
    this.#chunks.push(typeof chunk !== 'string' ? chunk : Buffer.from(chunk, encodingOf(encoding)))
    const done = typeof encoding === 'function' ? encoding : callback
    if (done) process.nextTick(done)
    return true
  }

  override end(
    chunk?: Written | null | (() => void),
    encoding?: BufferEncoding | (() => void),
    callback?: () => void,
  ): this {
    if (this.writableEnded) return this
    const done = [chunk, encoding, callback].find((given) => typeof given === 'function')
    if (done) this.once('finish', done)
    if (!this.headersSent) this.writeHead(this.statusCode)
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) this.write(chunk, encodingOf(encoding))
    this.finished = true
    process.nextTick(() => {
      if (this.destroyed) return
      this.writableFinished = true
      this.emit('finish')
      this.destroy()
    })
    return this
  }

  override destroy(): this {
    if (this.destroyed) return this
    this.destroyed = true
    process.nextTick(() => this.emit('close'))
    return this
  }
}

const encodingOf = (encoding: unknown): BufferEncoding | undefined =>
  typeof encoding === 'string' && Buffer.isEncoding(encoding) ? encoding : undefined
