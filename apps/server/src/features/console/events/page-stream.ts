import { Readable } from 'node:stream'
import type { Scope } from '@vaani/contracts'
import type { Principal } from '@vaani/service-kit/http/principal'
import type { RecentEvent } from '../../webhooks/port.ts'
import type { StreamEnd } from '../metrics.ts'
import { mayRead } from './readable-events.ts'

/** A page that has this much left to read is dropped, and may come back. */
export const MOST_UNREAD_BYTES = 64 * 1024
/** Time after which a browser opens a stream again that ended. Not the same for all, which would all come at once. */
const RETRY_MS = 1000
const RETRY_SPREAD_MS = 2000

/** After more events at once, a page reads everything anew, which is less for it and for the server. */
export const MOST_AT_ONCE = 100

export interface PageStreamOptions {
  /** The page's session. */
  secret: string
  principal: Pick<Principal, 'accountId' | 'livemode' | 'scopes'>
  /** Called once, when no more is written. */
  onEnd: (reason: StreamEnd) => void
}

/** The server-sent events of one page. */
export class PageStream {
  readonly secret: string
  readonly body = new Readable({ read: () => undefined })
  readonly #of: PageStreamOptions['principal']
  readonly #onEnd: PageStreamOptions['onEnd']
  #scopes: ReadonlySet<Scope>
  #hasEnded = false

  constructor({ secret, principal, onEnd }: PageStreamOptions) {
    this.secret = secret
    this.#of = principal
    this.#scopes = principal.scopes
    this.#onEnd = onEnd
  }

  /** From now on the session may read what has these scopes. */
  limitTo(scopes: ReadonlySet<Scope>): void {
    this.#scopes = scopes
  }

  /** Begins at a position, with what happened since another; with a reset if that is not known. */
  begin(position: bigint, missed: readonly RecentEvent[] | null): void {
    this.#write(`retry: ${RETRY_MS + Math.floor(Math.random() * RETRY_SPREAD_MS)}\n\n`)
    if (missed === null) this.reset(position)
    else this.send(missed, position)
  }

  /** Writes those events that the page may know of. */
  send(events: readonly RecentEvent[], position: bigint): void {
    const own = events.filter((event) => this.#isFor(event))
    if (own.length > MOST_AT_ONCE) return this.reset(position)
    const text = own
      .map(({ type, objectId }) => JSON.stringify({ type, object_id: objectId }))
      .map((data) => `id: ${position}\ndata: ${data}\n\n`)
      .join('')
    if (text !== '') this.#write(text)
  }

  /** Has the page read everything anew. */
  reset(position: bigint): void {
    this.#write(`id: ${position}\nevent: reset\ndata: {}\n\n`)
  }

  /** Shows that the stream stands, and how far it is. */
  sign(position: bigint): void {
    this.#write(`: waiting\nid: ${position}\n\n`)
  }

  end(reason: StreamEnd): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.body.push(null)
    this.#onEnd(reason)
  }

  #isFor({ accountId, livemode, type }: RecentEvent): boolean {
    const of = this.#of
    return accountId === of.accountId && livemode === of.livemode && mayRead(type, this.#scopes)
  }

  #write(text: string): void {
    if (this.#hasEnded) return
    if (!this.body.push(text) && this.body.readableLength > MOST_UNREAD_BYTES) this.end('slow')
  }
}
