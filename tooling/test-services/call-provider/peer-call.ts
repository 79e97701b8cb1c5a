import { createHmac, randomBytes } from 'node:crypto'
import { behaviourOf } from './peer-phone.ts'
import { PeerStream } from './peer-stream.ts'

export interface PeerAccount {
  readonly accountSid: string
  readonly authToken: string
}

/** Delivers a report of progress: once, late, more often, or never. `isFinal`: no other follows. */
export type Deliver = (send: () => Promise<void>, isFinal: boolean) => void

/** Delivers reports one after another. */
export function inTurn(): Deliver {
  let last = Promise.resolve()
  return (send) => void (last = last.then(send))
}

const FINAL = new Set(['completed', 'busy', 'failed', 'no-answer', 'canceled'])
const RING_MS = 60

/** Signs a report as Twilio documents it; written again here, so that a mistake in ours shows. No name comes twice. */
function signatureOf(authToken: string, url: string, parameters: URLSearchParams): string {
  const sorted = [...parameters].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return createHmac('sha1', authToken)
    .update([url, ...sorted.flat()].join(''))
    .digest('base64')
}

const sidOf = (prefix: string) => prefix + randomBytes(16).toString('hex')

/** One call at the peer: it rings, is answered or not, and reports each step to the StatusCallback. */
export class PeerCall {
  readonly sid = sidOf('CA')
  readonly parameters: URLSearchParams
  readonly #account: PeerAccount
  readonly #deliver: Deliver
  #timer: NodeJS.Timeout | undefined
  #sequence = 0
  status = 'queued'
  /** Statuses of the responses to its reports. */
  readonly responses: number[] = []
  stream: PeerStream | undefined

  constructor(parameters: URLSearchParams, account: PeerAccount, deliver: Deliver) {
    this.parameters = parameters
    this.#account = account
    this.#deliver = deliver
    this.#report('initiated')
    this.#after(RING_MS, () => this.#ring())
  }

  get isOver(): boolean {
    return FINAL.has(this.status)
  }

  /** μ-law that the person heard. */
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
      url: /<Connect><Stream url="([^"]+)">/.exec(twiml)?.[1] ?? '',
      accountSid: this.#account.accountSid,
      callSid: this.sid,
      streamSid: sidOf('MZ'),
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
    const body = new URLSearchParams({
      AccountSid: this.#account.accountSid,
      ApiVersion: '2010-04-01',
      CallSid: this.sid,
      CallStatus: status,
      CallbackSource: 'call-progress-events',
      Direction: 'outbound-api',
      From: this.parameters.get('From') ?? '',
      SequenceNumber: String(this.#sequence++),
      Timestamp: new Date().toUTCString(),
      To: this.parameters.get('To') ?? '',
    })
    if (FINAL.has(status)) body.set('CallDuration', '0')
    if (sipStatus !== undefined) body.set('SipResponseCode', String(sipStatus))
    const signature = signatureOf(this.#account.authToken, url, body)
    const send = async () => {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'x-twilio-signature': signature },
        body,
      }).catch(() => undefined)
      if (response) this.responses.push(response.status)
    }
    this.#deliver(send, FINAL.has(status))
  }
}
