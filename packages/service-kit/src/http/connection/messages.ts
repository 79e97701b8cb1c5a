import type { OutgoingHttpHeader, OutgoingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { UNREAD_BOUNDS, type UnreadBounds } from './bounds.ts'
import { closeLingering } from './close-lingering.ts'
import { drainOrClose } from './drain-or-close.ts'
import { IncomingMessage, ServerResponse } from '../../lifecycle/node-http.ts'

/** A request that reports the first read of its body, and that can fail without closing its connection. */
export class RequestMessage extends IncomingMessage {
  onFirstRead: (() => void) | undefined
  #isAbandoned = false

  /** Whether the rest of the request cannot be read. Its error says why. */
  get isAbandoned(): boolean {
    return this.#isAbandoned
  }

  /** Makes reading the body fail, but leaves the connection open. */
  abandon(reason: Error): void {
    this.#isAbandoned = true
    this.destroy(reason)
  }

  override _read(size: number): void {
    this.onFirstRead?.()
    this.onFirstRead = undefined
    super._read(size)
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    // Node would destroy the connection of a request that ends too soon. Like Node, emit errors only if there are listeners.
    if (this.#isAbandoned) callback(this.listenerCount('error') > 0 ? error : null)
    else super._destroy(error, callback)
  }
}

/**
 * A response that may be sent before its request has arrived. It leaves the connection usable, or closes it so that the
 * response arrives. Node does neither: it stops reading when the handler does, and closing with unread bytes sends a reset.
 */
export class ResponseMessage<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  /** The response to the last request on each connection, until both are complete. */
  static readonly #last = new WeakMap<Socket, ResponseMessage>()
  protected readonly bounds: UnreadBounds = UNREAD_BOUNDS
  readonly #connection = this.req.socket
  /** Includes body bytes that arrived together with the request head. */
  readonly #bytesReadBefore = this.#connection.bytesRead
  #awaitsContinue = false

  constructor(...parameters: ConstructorParameters<typeof ServerResponse<Request>>) {
    super(...parameters)
    ResponseMessage.#last.set(this.#connection, this)
  }

  /** Returns the response to the last request on a connection; undefined if both are complete. */
  static lastOn(socket: Socket): ResponseMessage | undefined {
    const last = ResponseMessage.#last.get(socket)
    // A body may arrive after its response.
    return last?.req.complete && last.writableFinished ? undefined : last
  }

  /** Node calls this as soon as the head has arrived. A 100 promises to read the body, so send it at the first read. */
  override writeContinue(): void {
    if (!(this.req instanceof RequestMessage)) return
    this.#awaitsContinue = true
    this.req.onFirstRead = () => {
      if (this.headersSent) return
      this.#awaitsContinue = false
      super.writeContinue()
    }
  }

  override writeHead(
    status: number,
    reason?: string | OutgoingHttpHeaders | OutgoingHttpHeader[],
    headers?: OutgoingHttpHeaders | OutgoingHttpHeader[],
  ): this {
    // Node calls `destroySoon` to close the connection after the last response.
    this.#connection.destroySoon = () => closeLingering(this.#connection, this.bounds)
    if (!this.req.complete) this.#decideOnRest()
    return typeof reason === 'string'
      ? super.writeHead(status, reason, headers)
      : super.writeHead(status, reason)
  }

  /** Node calls this when the response has been sent. */
  override detachSocket(socket: Socket): void {
    super.detachSocket(socket)
    if (this.req.complete && ResponseMessage.#last.get(socket) === this) ResponseMessage.#last.delete(socket)
  }

  #decideOnRest(): void {
    const { req: request, bounds } = this
    if (!this.shouldKeepAlive) return
    const choice = drainOrClose(
      { leftBytes: this.#leftBytes(), awaitsContinue: this.#awaitsContinue, isDestroyed: request.destroyed },
      bounds,
    )
    if (choice === 'close') this.shouldKeepAlive = false
    else this.once('finish', () => this.#drain())
  }

  #leftBytes(): number | null {
    const declared = this.req.headers['content-length']
    if (declared === undefined) return null
    return Number(declared) - (this.#connection.bytesRead - this.#bytesReadBefore)
  }

  /** Reads the body to its end, so that the next request can be read. */
  #drain(): void {
    const { req: request, bounds } = this
    if (request.complete || request.destroyed) return
    const giveUp = () => {
      // Once the body has arrived, the connection serves the next request, even if a paused stream never closes.
      if (!request.complete) closeLingering(this.#connection, bounds)
    }
    const deadline = setTimeout(giveUp, bounds.keepAliveMs).unref()
    request.once('close', () => clearTimeout(deadline))
    request.unpipe()
    for (const event of ['data', 'readable']) request.removeAllListeners(event)
    // Add a listener, because removing the last one stops the stream one tick after `resume`.
    request.on('data', () => undefined).resume()
  }
}
