import type { PeerDialect, StreamIds } from './peer-dialect.ts'
import { PeerStream } from './peer-stream.ts'

/** What the caller hears of a call that is not answered. */
export type CallRefusal = 'busy' | 'rejected' | 'failed'

/** Somebody who calls a number of the account: the provider asks the webhook of the number what to do. */
export class PeerCaller {
  readonly sid: string
  readonly #dialect: PeerDialect
  readonly #ids: StreamIds
  readonly #echoes: boolean
  status = 'ringing'
  refusal: CallRefusal | undefined
  stream: PeerStream | undefined

  constructor(dialect: PeerDialect, echoes: boolean) {
    this.#dialect = dialect
    this.#ids = dialect.createIds()
    this.#echoes = echoes
    this.sid = this.#ids.callSid
  }

  get isOver(): boolean {
    return this.status === 'completed'
  }

  /** Audio that the caller heard, as it is encoded. */
  get heard(): Buffer {
    return Buffer.concat(this.stream?.heard ?? [])
  }

  /** Asks the webhook, and does what it says. */
  async call(webhookUrl: string, parties: { readonly from: string; readonly to: string }): Promise<void> {
    const request = this.#dialect.report(webhookUrl, {
      callSid: this.sid,
      status: 'ringing',
      direction: 'inbound',
      sequence: 0,
      ...parties,
    })
    const response = await fetch(webhookUrl, { method: 'POST', ...request }).catch(() => undefined)
    const instructions = response?.ok === true ? await response.text() : ''
    const url = /<Connect><Stream url="([^"]+)"/.exec(instructions)?.[1]
    if (url === undefined) return this.#refuse(instructions)
    this.status = 'in-progress'
    this.stream = new PeerStream({
      url,
      dialect: this.#dialect,
      ids: this.#ids,
      parameters: { token: /<Parameter name="token" value="([^"]+)"\/>/.exec(instructions)?.[1] ?? '' },
      echoes: this.#echoes,
      onClosed: () => (this.status = 'completed'),
    })
  }

  hangUp(): void {
    this.status = 'completed'
    this.stream?.stop()
  }

  close(): void {
    this.status = 'completed'
    this.stream?.breakOff()
  }

  #refuse(instructions: string): void {
    this.status = 'completed'
    if (instructions.includes('<Reject reason="busy"/>')) this.refusal = 'busy'
    else this.refusal = /<Reject|<Hangup/.test(instructions) ? 'rejected' : 'failed'
  }
}
