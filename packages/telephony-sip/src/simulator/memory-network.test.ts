import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createMemoryNetwork } from './memory-network.ts'

const ADDRESS = '127.0.0.1'

test('a packet arrives as it was sent, with the address of its sender', async () => {
  const network = createMemoryNetwork()
  const [from, to] = [await network.openSocket(ADDRESS, 0), await network.openSocket(ADDRESS, 0)]
  const received: unknown[] = []
  to.onPacket((packet, sender) => received.push([...packet], sender))
  const packet = Uint8Array.of(1, 2)
  from.send(packet, { address: ADDRESS, port: to.port })
  packet.fill(0)
  expect(received).toEqual([])
  await setImmediate()
  expect(received).toEqual([[1, 2], { address: ADDRESS, port: from.port }])
})

test('sockets of signalling and of media reach each other', async () => {
  const network = createMemoryNetwork()
  const received: number[] = []
  const signalling = await network.openDatagrams(
    { address: ADDRESS, port: 0 },
    { onDatagram: (bytes) => received.push(...bytes), onUnreachable() {} },
  )
  const media = await network.openSocket(ADDRESS, 0)
  media.onPacket((packet) => received.push(...packet))
  media.send(Uint8Array.of(1), signalling.local)
  await signalling.send(Uint8Array.of(2), { address: ADDRESS, port: media.port })
  await setImmediate()
  expect(received).toEqual([1, 2])
})

test('a packet to a closed port is lost, and the port can be opened again', async () => {
  const network = createMemoryNetwork()
  const [from, to] = [await network.openSocket(ADDRESS, 0), await network.openSocket(ADDRESS, 5000)]
  const received: number[] = []
  to.onPacket((packet) => received.push(...packet))
  to.close()
  from.send(Uint8Array.of(1), { address: ADDRESS, port: 5000 })
  await setImmediate()
  const again = await network.openSocket(ADDRESS, 5000)
  again.onPacket((packet) => received.push(...packet))
  from.send(Uint8Array.of(2), { address: ADDRESS, port: 5000 })
  await setImmediate()
  expect(received).toEqual([2])
})

test('a port is opened once', async () => {
  const network = createMemoryNetwork()
  const { port } = await network.openSocket(ADDRESS, 0)
  await expect(network.openSocket(ADDRESS, port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
  const next = await network.openSocket(ADDRESS, port + 1)
  expect((await network.openSocket(ADDRESS, 0)).port).toBe(next.port + 1)
})
