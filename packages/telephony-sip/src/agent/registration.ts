import { buildRequest } from '../message/build.ts'
import { headerOf, headersOf, type SipResponse } from '../message/message.ts'
import { parseNameAddr, type NameAddr } from '../message/name-addr.ts'
import { readMinExpires } from './min-expires.ts'
import { readSeconds } from '../message/numeric-headers.ts'
import { parameterOf } from '../message/parameters.ts'
import { createSequenceCounter } from '../dialog/dialog.ts'
import type { Line } from '../dialog/line.ts'
import { down, type TrunkHealth, UP } from './trunk-health.ts'
import type { Peer } from '../transport/flow.ts'
import { askInTurn } from './ask-in-turn.ts'

/** Lifetime that we ask for. */
const EXPIRES_SECONDS = 600
/** Wait after a failure, doubled up to the longest one, each between half and all of it at random. */
const FIRST_RETRY_MS = 5000
const LONGEST_RETRY_MS = 300_000
/** Longest wait for the answer when the registration is given up. */
const FAREWELL_MS = 2000

export interface RegistrationOptions {
  readonly line: Line
  readonly findPeers: () => Promise<readonly Peer[]>
  /** URI of the registrar: the domain of the trunk. */
  readonly registrar: string
  /** Address of record. */
  readonly address: NameAddr
  /** Called with each thing that is learnt of the trunk. */
  readonly learn: (health: TrunkHealth) => void
}

/** Registers our Contact at a trunk and keeps it registered (RFC 3261, section 10). */
export class Registration {
  readonly #options: RegistrationOptions
  readonly #counter = createSequenceCounter()
  readonly #callId: string
  #expiresSeconds = EXPIRES_SECONDS
  #failures = 0
  #isRegistered = false
  #stopTimer: () => void = () => {}
  #isStopped = false

  constructor(options: RegistrationOptions) {
    this.#options = options
    this.#callId = options.line.randomHex(16)
    void this.#register()
  }

  /** Removes the registration. Resolves when the trunk has answered, or after 2 seconds. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#stopTimer()
    if (!this.#isRegistered) return
    this.#isRegistered = false
    const { clock } = this.#options.line
    await Promise.race([this.#ask(0), new Promise<void>((resolve) => void clock.after(FAREWELL_MS, resolve))])
  }

  async #register(): Promise<void> {
    const response = await this.#ask(this.#expiresSeconds)
    if (this.#isStopped) return
    if (response && response.status < 300)
      return this.#refreshAfter(lifetimeIn(response, this.#options.line.contact.uri, this.#expiresSeconds))
    this.#isRegistered = false
    const minimum = response?.status === 423 ? readMinExpires(response) : undefined
    this.#failures += 1
    if (minimum !== undefined && minimum > this.#expiresSeconds) {
      this.#expiresSeconds = minimum
      if (this.#failures === 1) return this.#register()
    }
    this.#options.learn(down('unregistered', response?.status))
    const longestMs = Math.min(FIRST_RETRY_MS * 2 ** (this.#failures - 1), LONGEST_RETRY_MS)
    this.#again(longestMs * (0.5 + this.#options.line.random() / 2))
  }

  #refreshAfter(seconds: number): void {
    this.#isRegistered = true
    this.#options.learn(UP)
    this.#failures = 0
    this.#again(seconds * 800)
  }

  #again(delayMs: number): void {
    this.#stopTimer = this.#options.line.clock.after(delayMs, () => void this.#register())
  }

  /** Sends one REGISTER. Resolves with its final response; undefined if none came. */
  async #ask(expiresSeconds: number): Promise<SipResponse | undefined> {
    const { line, registrar, address, findPeers } = this.#options
    const tag = line.randomHex(8)
    const { response } = await askInTurn({
      line,
      findPeers,
      make: (headers) =>
        buildRequest({
          method: 'REGISTER',
          uri: registrar,
          from: { ...address, parameters: [['tag', tag]] },
          to: address,
          callId: this.#callId,
          sequence: this.#counter.next(),
          contact: line.contact,
          headers: [['expires', String(expiresSeconds)], ...headers],
        }),
      // The farewell is wanted to the end.
      isWanted: () => !this.#isStopped || expiresSeconds === 0,
    })
    return response
  }
}

/** Returns how long the trunk keeps our Contact: its own parameter, else Expires, else what we asked for (10.2.4). */
function lifetimeIn(response: SipResponse, ourUri: string, asked: number): number {
  const contacts = headersOf(response, 'contact')
    .filter((value) => value !== '*')
    .map(parseNameAddr)
  // Other processes may have registered theirs. A trunk that rewrites ours is believed about the first.
  const ours = contacts.find(({ uri }) => uri === ourUri) ?? contacts[0]
  const own = ours && parameterOf(ours, 'expires')
  const seconds = readSeconds(own ?? headerOf(response, 'expires') ?? '') ?? asked
  return Math.min(Math.max(seconds, 1), asked)
}
