import { buildRequest } from '../message/build.ts'
import type { NameAddr } from '../message/name-addr.ts'
import type { Line } from '../dialog/line.ts'
import type { Peer } from '../transport/flow.ts'
import type { TrunkHealth } from './user-agent.ts'

/** Keeps a binding of a NAT open, which lasts for 30 seconds at least over UDP (RFC 5626, section 4.4.2). */
const INTERVAL_MS = 25_000

export interface KeepAliveOptions {
  readonly line: Line
  /** Returns the peers of the trunk. */
  readonly findPeers: () => Promise<readonly Peer[]>
  readonly trunkUri: string
  /** Our address of record. */
  readonly address: NameAddr
}

/** Sends OPTIONS to a trunk at intervals, and knows from the responses whether it is up (RFC 3261, section 11). */
export class KeepAlive {
  readonly #options: KeepAliveOptions
  #health: TrunkHealth
  #stop: () => void = () => {}
  #isStopped = false

  constructor(options: KeepAliveOptions) {
    this.#options = options
    this.#health = { state: 'unknown', sinceMs: options.line.clock.nowMs() }
    void this.#ask()
  }

  health(): TrunkHealth {
    return this.#health
  }

  stop(): void {
    this.#isStopped = true
    this.#stop()
  }

  async #ask(): Promise<void> {
    const { line, findPeers } = this.#options
    // A name that cannot be resolved now has no peers.
    const [peer] = await findPeers().catch(() => [])
    if (this.#isStopped) return
    this.#stop = line.clock.after(INTERVAL_MS, () => void this.#ask())
    if (!peer) return this.#note('down')
    line.transactions.request(this.#makeOptions(), peer, {
      onProvisional() {},
      // Any answer shows that it is there, even a refusal; 503 says that it takes no calls.
      onFinal: ({ status }) => this.#note(status === 503 ? 'down' : 'up', status),
      onFailure: () => this.#note('down'),
    })
  }

  #makeOptions() {
    const { line, trunkUri, address } = this.#options
    return buildRequest({
      method: 'OPTIONS',
      uri: trunkUri,
      from: { ...address, parameters: [['tag', line.randomHex(8)]] },
      to: { uri: trunkUri, parameters: [] },
      callId: line.randomHex(16),
      sequence: 1,
      contact: line.contact,
      headers: [['accept', 'application/sdp']],
    })
  }

  #note(state: 'up' | 'down', lastStatus?: number): void {
    const sinceMs = state === this.#health.state ? this.#health.sinceMs : this.#options.line.clock.nowMs()
    this.#health = { state, sinceMs, ...(lastStatus !== undefined && { lastStatus }) }
  }
}
