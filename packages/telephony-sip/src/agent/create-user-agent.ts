import type { Clock } from '../clock.ts'
import { Credentials } from '../dialog/credentials.ts'
import { hangUpLeft } from '../dialog/farewell.ts'
import type { Line } from '../dialog/line.ts'
import type { IncomingCall } from '../dialog/incoming-call.ts'
import { OutgoingCall } from '../dialog/outgoing-call.ts'
import { randomHex as systemRandomHex, type RandomHex } from '../dialog/random-hex.ts'
import { buildResponse } from '../message/build.ts'
import { headerOf, type Headers, type SipRequest } from '../message/message.ts'
import { type NameAddr, serializeNameAddr } from '../message/name-addr.ts'
import { serializeUri } from '../message/uri.ts'
import type { ServerTransaction, Transactions } from '../transaction/transactions.ts'
import type { Peer, Transport } from '../transport/flow.ts'
import { createSources, IncomingCalls, isNewInvite } from './incoming-calls.ts'
import { KeepAlive } from './keep-alive.ts'
import { Registration } from './registration.ts'
import { createHealthBoard } from './trunk-health.ts'
import type { LineCallRequest, Trunk, UserAgent } from './user-agent.ts'

/** Longest wait at the end for far ends to answer our BYE. */
const FAREWELL_MS = 2000

/** A caller who gives no number (RFC 3323, section 4.1.1.3). */
const ANONYMOUS: NameAddr = {
  displayName: 'Anonymous',
  uri: 'sip:anonymous@anonymous.invalid',
  parameters: [],
}
const PRIVATE: Headers = [['privacy', 'id']]

export interface UserAgentOptions {
  readonly trunk: Trunk
  /** Both are closed with the user agent. */
  readonly transport: Transport
  readonly transactions: Transactions
  readonly clock: Clock
  /** Returns the peers of the trunk now, in the order in which to try them: see `resolveTargets`. */
  readonly findPeers: () => Promise<readonly Peer[]>
  /** Default: random bytes of the system. */
  readonly randomHex?: RandomHex
  /** Returns numbers from 0 to below 1. Default `Math.random`. */
  readonly random?: () => number
}

/** Creates a user agent on a trunk. It registers at once if the trunk wants it. */
export function createUserAgent(options: UserAgentOptions): UserAgent {
  const { trunk, transport, transactions, clock } = options
  const { line, findPeers } = createLine(options)
  const { randomHex } = line
  const uris = createUris(trunk)
  const calls = new Map<string, OutgoingCall | IncomingCall>()
  const idle = createGate()
  const settle = (callId: string) => {
    calls.delete(callId)
    if (calls.size === 0) idle.open()
  }
  const incoming = new IncomingCalls({ line, calls, settle, knows: createSources(trunk, line) })

  const callOf = (request: SipRequest) => calls.get(headerOf(request, 'call-id') ?? '')
  const refuse = (transaction: ServerTransaction, status: number) =>
    transaction.respond(buildResponse(transaction.request, { status, toTag: randomHex(8) }))

  transactions.onStranger((request, from) => (callOf(request) ? undefined : incoming.judge(request, from)))
  transactions.onRequest((transaction) => {
    if (isNewInvite(transaction.request)) return incoming.take(transaction)
    if (!callOf(transaction.request)?.take(transaction)) refuse(transaction, 481)
  })
  transactions.onCancel((invite) => {
    if (!incoming.cancel(invite)) refuse(invite, 487)
  })
  transactions.onAcknowledge((ack) => callOf(ack)?.acknowledge(ack))

  const address: NameAddr = { uri: uris.of(ourName(trunk)), parameters: [] }
  const board = createHealthBoard()
  const keepAlive =
    trunk.keepAlive === false
      ? undefined
      : new KeepAlive({ line, findPeers, trunkUri: uris.domain, address, learn: board.source() })
  const registration = trunk.register
    ? new Registration({ line, findPeers, registrar: uris.domain, address, learn: board.source() })
    : undefined
  // Its addresses must be known before it calls. A name that cannot be resolved now has none.
  if (trunk.inbound) void findPeers().catch(() => [])

  return {
    call(request, listener) {
      const callId = randomHex(16)
      const call = new OutgoingCall({
        line,
        findPeers,
        callId,
        listener,
        uri: uris.of(request.to),
        ...callerOf(request, trunk, uris, randomHex),
        offer: request.offer,
        ringTimeoutMs: request.ringTimeoutMs,
        maxDurationMs: request.maxDurationMs,
        onSettled: () => settle(callId),
      })
      calls.set(callId, call)
      return call
    },
    onIncoming: (listener) => incoming.listen(listener),
    onHealth: board.onChange,
    hangUpLeft: (farewell) => hangUpLeft(line, farewell, findPeers),
    async close() {
      keepAlive?.stop()
      for (const call of calls.values()) call.hangUp()
      if (calls.size > 0)
        await Promise.race([
          idle.opened,
          new Promise<void>((resolve) => void clock.after(FAREWELL_MS, resolve)),
        ])
      await registration?.stop()
      transactions.close()
      await transport.close()
    },
  }
}

/** User part of our address: the name that the trunk knows. */
const ourName = ({ username = 'vaani' }: Trunk): string => username

function createLine(options: UserAgentOptions): { line: Line; findPeers: () => Promise<readonly Peer[]> } {
  const { trunk, transport, transactions, clock, randomHex = systemRandomHex, random = Math.random } = options
  const { username, password = '', realm } = trunk
  let trunkPeers: readonly Peer[] = []
  const line: Line = {
    transactions,
    clock,
    randomHex,
    random,
    credentials:
      username === undefined ? undefined : new Credentials({ username, password, realm, randomHex }),
    get contact() {
      const { host, port } = transport.localAddress(trunk.transport)
      const parameters = [['transport', trunk.transport]] as const
      const user = ourName(trunk)
      return {
        uri: serializeUri({ scheme: 'sip', user, host, port, parameters, headers: [] }),
        parameters: [],
      }
    },
    isTrunk: ({ address }) => trunkPeers.some((peer) => peer.address === address),
  }
  return { line, findPeers: async () => (trunkPeers = await options.findPeers()) }
}

function createUris({ host, port, domain }: Trunk) {
  const place = domain === undefined ? { host, ...(port !== undefined && { port }) } : { host: domain }
  const parts = { scheme: 'sip', ...place, parameters: [], headers: [] } as const
  return { domain: serializeUri(parts), of: (user: string) => serializeUri({ ...parts, user }) }
}

function callerOf(
  { fromCallerId }: LineCallRequest,
  { callerIdHeader }: Trunk,
  uris: ReturnType<typeof createUris>,
  randomHex: RandomHex,
): { readonly from: NameAddr; readonly headers: Headers } {
  const parameters = [['tag', randomHex(8)]] as const
  if (fromCallerId === undefined) return { from: { ...ANONYMOUS, parameters }, headers: PRIVATE }
  const uri = uris.of(fromCallerId)
  const identity = serializeNameAddr({ uri, parameters: [] })
  return {
    from: { uri, parameters },
    headers: callerIdHeader === undefined ? [] : [[`p-${callerIdHeader}-identity`, identity]],
  }
}

function createGate() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: () => resolve() }
}
