import { createUserAgent } from '../../src/agent/create-user-agent.ts'
import type { LineCallRequest, Trunk } from '../../src/agent/user-agent.ts'
import { systemClock } from '../../src/clock.ts'
import type { LineCall } from '../../src/dialog/line-call.ts'
import { createTransactions } from '../../src/transaction/create-transactions.ts'
import { openTransport } from '../../src/transport/open-transport.ts'
import { CALL, listen } from './scripted-trunk.ts'
import type { OnFinished } from './softphone-line.ts'

const HOST = '127.0.0.1'

/** A call without media. */
export interface SignalledCall {
  readonly call: LineCall
  /** What the caller heard so far. */
  readonly heard: readonly string[]
  /** Resolves when a line was heard that starts so. */
  hears(start: string): Promise<void>
}

/** Opens a user agent over UDP, without media, whose trunk is at a port of this machine. Returns how it calls. */
export async function openSignalling(
  onFinished: OnFinished,
  port: number,
  login: Pick<Trunk, 'username' | 'password'> = {},
): Promise<(changes?: Partial<LineCallRequest>) => SignalledCall> {
  const clock = systemClock
  const transport = await openTransport({ clock, address: HOST, udp: { port: 0 } })
  const agent = createUserAgent({
    trunk: { host: HOST, port, transport: 'udp', keepAlive: false, ...login },
    transport,
    transactions: createTransactions({ transport, clock }),
    clock,
    findPeers: async () => [{ transport: 'udp', address: HOST, port }],
  })
  onFinished(() => agent.close())
  return (changes = {}) => {
    const { heard, listener } = listen()
    const waiting = new Set<() => void>()
    const waking =
      <Arguments extends unknown[]>(hear: (...given: Arguments) => void) =>
      (...given: Arguments): void => {
        hear(...given)
        for (const look of waiting) look()
      }
    const call = agent.call(
      { ...CALL, offer: { ...CALL.offer, address: HOST }, ...changes },
      {
        onRinging: waking(() => listener.onRinging()),
        onMedia: waking((audio) => listener.onMedia(audio)),
        onAnswered: waking((farewell) => listener.onAnswered(farewell)),
        onKey: waking((digit) => listener.onKey(digit)),
        onEnded: waking((end) => listener.onEnded(end)),
      },
    )
    const hears = (start: string) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (!heard.some((line) => line.startsWith(start))) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      })
    return { call, heard, hears }
  }
}
