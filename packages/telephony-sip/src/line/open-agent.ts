import { isIPv6 } from 'node:net'
import { createUserAgent } from '../agent/create-user-agent.ts'
import type { UserAgent } from '../agent/user-agent.ts'
import { systemClock } from '../clock.ts'
import { createTransactions } from '../transaction/create-transactions.ts'
import { cacheRecords } from '../transport/cache-records.ts'
import { systemResolver } from '../transport/dns-resolver.ts'
import type { Trace } from '../trace/create-trace.ts'
import { openTransport } from '../transport/open-transport.ts'
import { resolveTargets } from '../transport/resolve-targets.ts'
import { findLocalAddress } from './find-local-address.ts'
import type { LineOptions } from './line-options.ts'

/** The user agent of a line, and the address of its sockets, at which media is received too. */
export interface OpenedAgent {
  readonly agent: UserAgent
  readonly localAddress: string
  readonly advertisedAddress: string
}

/** Opens the sockets of a line. @throws TransportError `unbound` if the port is taken, Error if there is no way to the trunk */
export async function openAgent(line: LineOptions, trace?: Trace): Promise<OpenedAgent> {
  const { trunk, localPort: port = 0, certificateAuthorities, clientCertificate } = line
  const clock = systemClock
  const resolver = cacheRecords(systemResolver, clock)
  const familyHint = line.localAddress ?? trunk.host
  const family = isIPv6(familyHint) ? 6 : 4
  const findPeers = () => resolveTargets(trunk, { resolver, family })
  const localAddress = line.localAddress ?? (await findLocalAddress((await findPeers())[0]?.address))
  const { advertisedAddress = localAddress } = line
  const opened = await openTransport({
    clock,
    address: localAddress,
    advertisedHost: advertisedAddress,
    // Over TLS, the trunk sends to the connection that we open.
    ...(trunk.transport !== 'tls' && { [trunk.transport]: { port } }),
    ...(certificateAuthorities && { certificateAuthorities }),
    ...(clientCertificate && { clientCertificate }),
  })
  const transport = trace?.follow(opened) ?? opened
  const transactions = createTransactions({ transport, clock })
  const agent = createUserAgent({ trunk, transport, transactions, clock, findPeers })
  return { agent, localAddress, advertisedAddress }
}
