import { afterEach, expect, test } from 'vitest'
import { expectHeard, join, pauses, throughMulaw, toneFrames } from '../../test/support/tones.ts'
import { createTwoSessions } from '../../test/support/two-sessions.ts'
import { type OpenUdpSocket, openUdpSocket, type UdpSocket } from './udp-socket.ts'

const opened: UdpSocket[] = []
afterEach(() => {
  for (const socket of opened.splice(0)) socket.close()
})
const open: OpenUdpSocket = async (address, port) => {
  const socket = await openUdpSocket(address, port)
  opened.push(socket)
  return socket
}

/** Sockets that count what arrives, so that a test can wait for it. */
function countArrivals() {
  let arrived = 0
  let wake = () => undefined as void
  const openSocket: OpenUdpSocket = async (address, port) => {
    const socket = await open(address, port)
    return {
      ...socket,
      onPacket: (receive) =>
        socket.onPacket((packet, from) => {
          receive(packet, from)
          arrived += 1
          wake()
        }),
    }
  }
  const until = (count: number) =>
    new Promise<void>((resolve) => {
      wake = () => {
        if (arrived >= count) resolve()
      }
      wake()
    })
  return { openSocket, until }
}

test.each([{}, { isSecure: true }])(
  'two sessions hear each other bit for bit over UDP: %j',
  async (audio) => {
    let nowMs = 0
    const { openSocket, until } = countArrivals()
    const { caller, callee } = await createTwoSessions(
      { openSocket, clock: { nowMs: () => nowMs }, sampleRateHz: 8000 },
      audio,
    )
    const keys: string[] = []
    caller.onKey((digit) => keys.push(digit))
    const sent = toneFrames(50, 8000)
    const heard: Int16Array[] = []
    callee.press('7')
    for (const [index, frame] of [...sent, ...pauses(20)].entries()) {
      nowMs += 20
      caller.tick(frame)
      heard.push(callee.tick(null).slice())
      // Of the 100 ms after a key, the ticks 8 to 10 send nothing.
      await until(2 * (index + 1) - Math.max(0, Math.min(3, index - 6)))
    }
    expectHeard(heard, join(sent.map(throughMulaw)))
    expect(keys).toEqual(['7'])
    expect(callee.quality()).toMatchObject({ packetsReceived: 70, lostFraction: 0 })
    caller.close()
    callee.close()
  },
)

test('a port that is taken rejects with the reason', async () => {
  const { port } = await open('127.0.0.1', 0)
  await expect(open('127.0.0.1', port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

test('a socket that is closed sends nothing, and closes again without an error', async () => {
  const socket = await open('127.0.0.1', 0)
  socket.close()
  socket.close()
  expect(() => socket.send(Uint8Array.of(1), { address: '127.0.0.1', port: 9 })).not.toThrow()
})

test('a packet that cannot be sent is lost without an error', async () => {
  const socket = await open('127.0.0.1', 0)
  for (const to of [
    { address: '127.0.0.1', port: 0 },
    { address: '::1', port: 9 },
    { address: '127.0.0.1', port: 9 },
  ])
    expect(() => socket.send(Uint8Array.of(1), to)).not.toThrow()
})
