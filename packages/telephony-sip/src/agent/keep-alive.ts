import { buildRequest } from '../message/build.ts'
import type { NameAddr } from '../message/name-addr.ts'
import type { Line } from '../dialog/line.ts'
import type { Peer } from '../transport/flow.ts'
import { askInTurn, type Turns } from './ask-in-turn.ts'
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
    const startedAtMs = line.clock.nowMs()
    const turns = await askInTurn({
      line,
      findPeers,
      make: () => this.#makeOptions(),
      // Any answer shows that it is there, even a challenge.
      mayRepeat: () => false,
      isWanted: () => !this.#isStopped,
    })
    if (this.#isStopped) return
    learn(healthFrom(turns))
    const waitMs = startedAtMs + INTERVAL_MS - line.clock.nowMs()
    this.#stop = line.clock.after(Math.max(0, waitMs), () => void this.#ask())
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

/** Any answer shows that the trunk is there, even a refusal; 503 says that it takes no calls. */
function healthFrom({ response, failure }: Turns): TrunkHealth {
  if (response) return response.status === 503 ? down('refused', response.status) : UP
  if (failure) return down(failure === 'timeout' ? 'timeout' : 'unreachable')
  return down('unresolved')
}
