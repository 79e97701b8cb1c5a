import { buildRequest } from '../message/build.ts'
import type { NameAddr } from '../message/name-addr.ts'
import type { Line } from '../dialog/line.ts'
import type { Peer } from '../transport/flow.ts'
import { down, type TrunkHealth, UP } from './trunk-health.ts'

/** Keeps a binding of a NAT open, which lasts for 30 seconds at least over UDP (RFC 5626, section 4.4.2). */
const INTERVAL_MS = 25_000

export interface KeepAliveOptions {
  readonly line: Line
  /** Returns the peers of the trunk. */
  readonly findPeers: () => Promise<readonly Peer[]>
  readonly trunkUri: string
  /** Our address of record. */
  readonly address: NameAddr
  /** Called with each thing that is learnt of the trunk. */
  readonly learn: (health: TrunkHealth) => void
}

/** Sends OPTIONS to a trunk at intervals, and learns from the responses whether it is up (RFC 3261, section 11). */
export class KeepAlive {
  readonly #options: KeepAliveOptions
  #sent = 0
  /** Number of the latest request that was answered. */
  #answered = 0
  #stop: () => void = () => {}
  #isStopped = false

  constructor(options: KeepAliveOptions) {
    this.#options = options
    void this.#ask()
  }

  stop(): void {
    this.#isStopped = true
    this.#stop()
  }

  async #ask(): Promise<void> {
    const { line, findPeers, learn } = this.#options
    // A name that cannot be resolved now has no peers.
    const [peer] = await findPeers().catch(() => [])
    if (this.#isStopped) return
    this.#stop = line.clock.after(INTERVAL_MS, () => void this.#ask())
    if (!peer) return learn(down('unresolved'))
    const number = (this.#sent += 1)
    line.transactions.request(this.#makeOptions(), peer, {
      onProvisional() {},
      onFinal: ({ status }) => {
        this.#answered = number
        // Any answer shows that it is there, even a refusal; 503 says that it takes no calls.
        learn(status === 503 ? down('refused', status) : UP)
      },
      onFailure: (failure) => {
        // A request is given up after the next one was sent, which may have been answered.
        if (number > this.#answered) learn(down(failure === 'timeout' ? 'timeout' : 'unreachable'))
      },
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
}
