import { expect, test } from 'vitest'
import { createFakeNetwork } from '../../test/support/fake-network.ts'
import { createManualClock } from '../simulator/manual-clock.ts'
import { withFaults } from './faulty-socket.ts'
import type { LineFaults } from './simulator-numbers.ts'

const ADDRESS = '192.0.2.1'

/** Sends ten packets each way between a caller and a phone with faults, and returns what arrives, and when. */
async function exchange(faults: LineFaults, random: () => number) {
  const network = createFakeNetwork()
  const clock = createManualClock()
  const phone = await withFaults(network.openSocket, { faults, clock, random })(ADDRESS, 0)
  const caller = await network.openSocket(ADDRESS, 0)
  const atPhone: [number, number][] = []
  const atCaller: [number, number][] = []
  phone.onPacket(([value = 0]) => atPhone.push([value, clock.nowMs()]))
  caller.onPacket(([value = 0]) => atCaller.push([value, clock.nowMs()]))
  const packet = new Uint8Array(1)
  for (packet[0] = 0; packet[0] < 10; packet[0] += 1) {
    caller.send(packet, { address: ADDRESS, port: phone.port })
    phone.send(packet, { address: ADDRESS, port: caller.port })
  }
  clock.advance(1000)
  return { atPhone, atCaller, phone, caller, clock }
}

const ALL = Array.from({ length: 10 }, (_, index) => [index, 0])

test('a direction without faults passes everything at once', async () => {
  const { atPhone, atCaller } = await exchange({ fromPhone: { lossFraction: 1, jitterMs: 0 } }, () => 0.5)
  expect(atPhone).toEqual(ALL)
  expect(atCaller).toEqual([])
})

test('packets that are not lost come late, as they were sent', async () => {
  const faults = {
    toPhone: { lossFraction: 0.5, jitterMs: 80 },
    fromPhone: { lossFraction: 0, jitterMs: 40 },
  }
  let draws = 0
  // Of a packet to the phone, the first number is its loss: each second one is below a half.
  const { atPhone, atCaller } = await exchange(
    faults,
    () => [0.25, 0.1, 0.5, 0.75, 0.5, 0.5][draws++ % 6] ?? 0,
  )
  expect(atPhone.length).toBeGreaterThan(0)
  expect(atPhone.length).toBeLessThan(10)
  expect(atPhone.every(([, atMs]) => atMs > 0 && atMs < 80)).toBe(true)
  expect(atCaller.map(([value]) => value).toSorted()).toEqual(ALL.map(([value]) => value))
  expect(atCaller.every(([, atMs]) => atMs < 40)).toBe(true)
})

test('a closed phone hears nothing that was on its way', async () => {
  const faults = { toPhone: { lossFraction: 0, jitterMs: 80 } }
  const { atPhone, phone, caller, clock } = await exchange(faults, () => 0.5)
  const heard = atPhone.length
  caller.send(Uint8Array.of(1), { address: ADDRESS, port: phone.port })
  phone.close()
  clock.advance(1000)
  expect(atPhone).toHaveLength(heard)
})
