import { isIP, isIPv6 } from 'node:net'
import type { LookupFunction } from 'node:net'
import { callbackify } from 'node:util'
import { Agent, buildConnector } from 'undici'
import type { Dispatcher } from 'undici'
import type { AllowedRanges } from './address-ranges.ts'
import { isInternalName } from './internal-name.ts'
import { permitAddressOf } from './permitted-address.ts'
import { createHostResolver } from './resolve-host.ts'
import type { ResolveHost } from './resolve-host.ts'

/** No address of the destination may be dialled, so nothing was. */
export class DestinationRefusedError extends Error {
  override readonly name = 'DestinationRefusedError'
  readonly code = 'destination_refused'

  constructor() {
    super('No address of the destination may receive webhooks')
  }
}

export interface GuardedAgentOptions {
  allowed: AllowedRanges
  /** For the DNS, TCP and TLS together. 10,000 by default. */
  connectTimeoutMs?: number
  /** Requests that one origin gets at a time; more wait in its queue. 4 by default. */
  connectionsPerOrigin?: number
  /** How long a socket stays open for the next request, whatever the receiver proposes. 4,000 by default. */
  keepAliveTimeoutMs?: number
  /** From this many open sockets on, none stays open after its request. 256 by default. */
  maxKeptSockets?: number
  resolve?: ResolveHost
}

/** Far hosts need more than Node's 250 ms to accept, and a host without IPv6 fails at once and not late. */
const ADDRESS_TIMEOUT_MS = 1000

/**
 * An agent for undici's `request` that dials no address but a permitted one: each address is judged between the answer
 * of the DNS and the dial, so a name that changes its address between a check and a delivery gains nothing. A request
 * that may go nowhere rejects with `DestinationRefusedError`. Redirects are not followed.
 *
 * A socket that is used again was dialled to a permitted address. What it holds is bounded: the agent forgets an
 * origin when its last socket closes, and `maxKeptSockets` bounds the sockets that wait.
 *
 * @example
 * const agent = createGuardedAgent({ allowed: parseAllowedRanges(config.callbackAllowCidrs) })
 * const { statusCode } = await request(url, { method: 'POST', body, dispatcher: agent })
 */
export function createGuardedAgent({
  allowed,
  connectTimeoutMs = 10_000,
  connectionsPerOrigin = 4,
  keepAliveTimeoutMs = 4000,
  maxKeptSockets = 256,
  resolve = createHostResolver(),
}: GuardedAgentOptions): Agent {
  const sockets = { open: 0 }
  const connect = createGuardedConnector({ allowed, connectTimeoutMs, resolve, sockets })
  return new KeepingAgent(
    {
      connect,
      connections: connectionsPerOrigin,
      pipelining: 1,
      // One request a socket at a time, so that `connections` bounds them.
      allowH2: false,
      keepAliveTimeout: keepAliveTimeoutMs,
      keepAliveMaxTimeout: keepAliveTimeoutMs,
    },
    () => sockets.open < maxKeptSockets,
  )
}

/**
 * Keeps sockets only while there is room. Not `maxOrigins`, which would fail deliveries to some because of others: a
 * request then says `connection: close`.
 */
class KeepingAgent extends Agent {
  readonly #hasRoom: () => boolean

  constructor(options: Agent.Options, hasRoom: () => boolean) {
    super(options)
    this.#hasRoom = hasRoom
  }

  override dispatch(options: Agent.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    return super.dispatch(this.#hasRoom() ? options : { ...options, reset: true }, handler)
  }
}

interface GuardedConnectorOptions {
  allowed: AllowedRanges
  connectTimeoutMs: number
  resolve: ResolveHost
  /** Counted here. */
  sockets: { open: number }
}

function createGuardedConnector({
  allowed,
  connectTimeoutMs,
  resolve,
  sockets,
}: GuardedConnectorOptions): buildConnector.connector {
  const connectorFor = (protocol: string) =>
    buildConnector({
      timeout: connectTimeoutMs,
      allowH2: false,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS,
      lookup: createGuardedLookup({ protocol, allowed, resolve }),
    })
  const secure = connectorFor('https:')
  const plain = connectorFor('http:')

  return (destination, callback) => {
    // `net.connect` asks `lookup` for names only: an address is judged here.
    if (isIP(destination.hostname) !== 0 && !permitAddressOf(destination, allowed)(destination.hostname)) {
      // undici expects the answer later, as a socket gives it.
      queueMicrotask(() => callback(new DestinationRefusedError(), null))
      return
    }
    const connect = destination.protocol === 'https:' ? secure : plain
    connect(destination, (...result) => {
      const [error, socket] = result
      if (error === null) {
        sockets.open++
        socket.once('close', () => sockets.open--)
      }
      callback(...result)
    })
  }
}

interface GuardedLookupOptions {
  protocol: string
  allowed: AllowedRanges
  resolve: ResolveHost
}

/** A `lookup` of `net.connect` that hands over permitted addresses only, in the order of the DNS. */
function createGuardedLookup({ protocol, allowed, resolve }: GuardedLookupOptions): LookupFunction {
  return (hostname, options, callback) => {
    const permits = permitAddressOf({ protocol, hostname }, allowed)
    const permitted = async () => {
      // Nothing would be permitted, so neither the DNS nor a thread is taken up.
      const hopeless = allowed.length === 0 && (protocol !== 'https:' || isInternalName(hostname))
      const addresses = hopeless ? [] : (await resolve(hostname)).filter(permits)
      const [first] = addresses
      if (first === undefined) throw new DestinationRefusedError()
      return { first, addresses }
    }
    callbackify(permitted)((error, answer) => {
      if (error) callback(error, [])
      else if (options.all === true) callback(null, answer.addresses.map(withFamily))
      else callback(null, answer.first, withFamily(answer.first).family)
    })
  }
}

function withFamily(address: string): { address: string; family: 4 | 6 } {
  return { address, family: isIPv6(address) ? 6 : 4 }
}
