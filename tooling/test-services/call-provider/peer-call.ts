import type { PeerDialect } from './peer-dialect.ts'
import { behaviourOf } from './peer-phone.ts'
import { PeerStream } from './peer-stream.ts'

/** Delivers a report of progress: once, late, more often, or never. `isFinal`: no other follows. */
export type Deliver = (send: () => Promise<void>, isFinal: boolean) => void

/** Delivers reports one after another. */
export function inTurn(): Deliver {
  let last = Promise.resolve()
  return (send) => void (last = last.then(send))
}

const FINAL = new Set(['completed', 'busy', 'failed', 'no-answer', 'canceled'])
const RING_MS = 60

/** One call at the peer: it rings, is answered or not, and reports each step to the StatusCallback. */
export class PeerCall {
  readonly sid: string
  readonly parameters: URLSearchParams
  readonly #dialect: PeerDialect
  readonly #deliver: Deliver
  #timer: NodeJS.Timeout | undefined
  #sequence = 0
  status = 'queued'
  /** Statuses of the responses to its reports. */
  readonly responses: number[] = []
  stream: PeerStream | undefined

  constructor(parameters: URLSearchParams, dialect: PeerDialect, deliver: Deliver) {
    this.sid = dialect.createIds().callSid
    this.parameters = parameters
    this.#dialect = dialect
    this.#deliver = deliver
    this.#report('initiated')
    this.#after(RING_MS, () => this.#ring())
  }

  get isOver(): boolean {
    return FINAL.has(this.status)
  }

  /** Audio that the person heard, as it is encoded. */
  get heard(): Buffer {
    return Buffer.concat(this.stream?.heard ?? [])
  }

  /** Ends it, as the person, the REST API or a time limit does. */
  end(status: string, sipStatus?: number): void {
    if (this.isOver) return
    clearTimeout(this.#timer)
    this.#setStatus(status, sipStatus)
    this.stream?.stop()
  }

  /** Ends it as `Status=completed` does. */
  hangUp(): void {
    this.end(this.status === 'in-progress' ? 'completed' : 'canceled', 487)
  }

  /** Frees what it holds, without a word. */
  close(): void {
    clearTimeout(this.#timer)
    this.status = 'canceled'
    this.stream?.breakOff()
  }

  /** Opens a second stream with the same token. */
  connectAgain(): PeerStream {
    return this.#connect(false, () => undefined)
  }

  #after(delayMs: number, action: () => void): void {
    this.#timer = setTimeout(action, delayMs)
  }

  #ring(): void {
    this.#setStatus('ringing')
    const behaviour = behaviourOf(this.parameters.get('To') ?? '')
    const timeoutMs = Number(this.parameters.get('Timeout')) * 1000
    switch (behaviour.type) {
      case 'never_answers':
        return this.#after(timeoutMs, () => this.end('no-answer', 487))
      case 'refuses':
        return this.#after(RING_MS, () => this.end(behaviour.status, behaviour.sipStatus))
      case 'answers':
        return this.#after(RING_MS, () => this.#answer(behaviour.echoes ?? false))
    }
  }

  #answer(echoes: boolean): void {
    this.#setStatus('in-progress')
    this.#after(Number(this.parameters.get('TimeLimit')) * 1000, () => this.end('completed'))
    // No instruction follows the stream.
    this.stream = this.#connect(echoes, () => this.end('completed'))
  }

  #connect(echoes: boolean, onClosed: () => void): PeerStream {
    const twiml = this.parameters.get('Twiml') ?? ''
    return new PeerStream({
      url: /<Connect><Stream url="([^"]+)"[^>]*>/.exec(twiml)?.[1] ?? '',
      dialect: this.#dialect,
      ids: { ...this.#dialect.createIds(), callSid: this.sid },
      parameters: { token: /<Parameter name="token" value="([^"]+)"\/>/.exec(twiml)?.[1] ?? '' },
      echoes,
      onClosed,
    })
  }

  #setStatus(status: string, sipStatus?: number): void {
    this.status = status
    this.#report(status, sipStatus)
  }

  #report(status: string, sipStatus?: number): void {
    const url = this.parameters.get('StatusCallback') ?? ''
    const sequence = this.#sequence++
    const request = this.#dialect.report(url, {
      callSid: this.sid,
      status,
      sequence,
      from: this.parameters.get('From') ?? '',
      to: this.parameters.get('To') ?? '',
      ...(sipStatus !== undefined && { sipStatus }),
    })
    const send = async () => {
      const response = await fetch(url, { method: 'POST', ...request }).catch(() => undefined)
      if (response) this.responses.push(response.status)
    }
    this.#deliver(send, FINAL.has(status))
  }
}
