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

/** No address of the destination may be dialled, so nothing was sent. */
export class DestinationRefusedError extends Error {
  override readonly name = 'DestinationRefusedError'
  readonly code = 'destination_refused'

  constructor() {
    super('No address of the destination may receive webhooks')
  }
}

export interface GuardedAgentOptions {
  allowed: AllowedRanges
  /** For DNS, TCP and TLS together. 10,000 by default. */
  connectTimeoutMs?: number
  /** Concurrent requests per origin; further requests are queued. 4 by default. */
  connectionsPerOrigin?: number
  /** How long a socket stays open for the next request, whatever the receiver proposes. 4,000 by default. */
  keepAliveTimeoutMs?: number
  /** If this many sockets are open, new requests do not keep theirs alive. 256 by default. */
  maxKeptSockets?: number
  resolve?: ResolveHost
}

/** Distant hosts need more than Node's default of 250 ms to accept. A machine without IPv6 fails at once, not by timeout. */
const ADDRESS_TIMEOUT_MS = 1000

/**
 * Creates an undici agent that dials permitted addresses only. It judges each address between the DNS answer and the dial,
 * so rebinding a name between a check and a delivery gains nothing. A request without a permitted address rejects with
 * `DestinationRefusedError`. Redirects are not followed.
 *
 * Reused sockets are safe, because they were dialled to a permitted address. Memory is bounded: the agent forgets an origin
 * when its last socket closes, and `maxKeptSockets` limits idle sockets.
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
      // One request per socket at a time, so that `connections` limits the requests.
      allowH2: false,
      keepAliveTimeout: keepAliveTimeoutMs,
      keepAliveMaxTimeout: keepAliveTimeoutMs,
    },
    () => sockets.open < maxKeptSockets,
  )
}

/**
 * Keeps sockets alive only while there is room; otherwise requests carry `connection: close`. undici's `maxOrigins` would
 * instead fail deliveries to some origins because of others.
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
  /** Incremented and decremented by the connector. */
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
    // `net.connect` calls `lookup` for names only, so addresses are judged here.
    if (isIP(destination.hostname) !== 0 && !permitAddressOf(destination, allowed)(destination.hostname)) {
      // undici expects the callback to be asynchronous, like that of a socket.
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

/** Creates a `lookup` for `net.connect` that returns permitted addresses only, in DNS order. */
function createGuardedLookup({ protocol, allowed, resolve }: GuardedLookupOptions): LookupFunction {
  return (hostname, options, callback) => {
    const permits = permitAddressOf({ protocol, hostname }, allowed)
    const permitted = async () => {
      // No address would be permitted, so do not spend a DNS query or a thread.
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
