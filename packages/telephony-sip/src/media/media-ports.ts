import type { OpenUdpSocket, UdpSocket } from './udp-socket.ts'

/** Ports that media may use, both included. */
export interface PortRange {
  readonly first: number
  readonly last: number
}

/** Sockets of RTP, at an even port, and of RTCP, at the next (RFC 3550, 11). */
export interface MediaSockets {
  readonly rtp: UdpSocket
  readonly rtcp: UdpSocket
}

/** Pairs that are tried where the system chooses the port. */
const MAX_ATTEMPTS = 50

const isTaken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'

/** Opens a port and the next. Returns undefined if the first is odd or one is taken. */
async function openPair(
  open: OpenUdpSocket,
  address: string,
  port: number,
): Promise<MediaSockets | undefined> {
  let rtp: UdpSocket | undefined
  try {
    rtp = await open(address, port)
    if (rtp.port % 2 === 0) return { rtp, rtcp: await open(address, rtp.port + 1) }
    rtp.close()
    return undefined
  } catch (error) {
    rtp?.close()
    if (isTaken(error)) return undefined
    throw error
  }
}

/** Ports to try, in order: of a range all even ones, from a random one on. */
function* portsToTry(range: PortRange | undefined, random: () => number): Generator<number> {
  if (range === undefined) {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) yield 0
    return
  }
  const first = range.first + (range.first % 2)
  const pairs = Math.max(0, Math.floor((range.last - first + 1) / 2))
  const start = Math.floor(random() * pairs)
  for (let pair = 0; pair < pairs; pair++) yield first + 2 * ((start + pair) % pairs)
}

/**
 * Opens the two sockets of a call.
 *
 * @throws Error if no pair of ports is free, and the system's errors for an address that is not ours
 */
export async function openMediaSockets(options: {
  readonly open: OpenUdpSocket
  readonly address: string
  readonly range?: PortRange | undefined
  readonly random: () => number
}): Promise<MediaSockets> {
  for (const port of portsToTry(options.range, options.random)) {
    const sockets = await openPair(options.open, options.address, port)
    if (sockets !== undefined) return sockets
  }
  throw new Error('No pair of UDP ports is free for the media of a call')
}
