import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createKeyReceiver, createKeySender } from './telephone-event.ts'

const STEP = 160

/** Packets of keys as they go over the wire, with the timestamp of their event. */
function packetsOf(digits: string, options: { readonly keyMs?: number } = {}) {
  const sender = createKeySender({ packetMs: 20, ...options })
  sender.press(digits)
  const packets: { readonly timestamp: number; readonly marker: boolean; readonly payload: Uint8Array }[] = []
  let start = 0
  for (let tick = 0; sender.isBusy; tick++) {
    if (sender.isAtStart) start = tick * STEP
    const payload = new Uint8Array(4)
    const packet = sender.next(payload, 8000)
    if (packet) packets.push({ timestamp: start + packet.timestampOffset, marker: packet.marker, payload })
  }
  return packets
}

const hear = (packets: readonly { readonly timestamp: number; readonly payload: Uint8Array }[]): string => {
  const receiver = createKeyReceiver()
  return packets.map(({ timestamp, payload }) => receiver.take(timestamp, payload) ?? '').join('')
}

test('a key is five packets of growing duration, of which the last comes three times with the end bit', () => {
  const packets = packetsOf('5')
  expect(packets.map(({ marker }) => marker)).toEqual([true, false, false, false, false, false, false])
  expect(packets.map(({ payload }) => [...payload])).toEqual([
    [5, 10, 0, 160],
    [5, 10, 1, 64],
    [5, 10, 1, 224],
    [5, 10, 2, 128],
    [5, 0x8a, 3, 32],
    [5, 0x8a, 3, 32],
    [5, 0x8a, 3, 32],
  ])
  expect(new Set(packets.map(({ timestamp }) => timestamp)).size).toBe(1)
})

test('keys are 100 ms apart, and what is no key is left out', () => {
  const starts = [...new Set(packetsOf('1x1d').map(({ timestamp }) => timestamp))]
  expect(starts).toEqual([0, 10 * STEP, 20 * STEP])
})

test('a key of over 8 s goes on in segments, and is still one key', () => {
  const packets = packetsOf('7', { keyMs: 20_000 })
  expect(
    Math.max(...packets.map(({ payload }) => ((payload[2] ?? 0) << 8) | (payload[3] ?? 0))),
  ).toBeLessThan(65_536)
  expect([...new Set(packets.map(({ timestamp }) => timestamp))]).toEqual([0, 65_535, 131_070])
  expect(hear(packets)).toBe('7')
})

describe('each key is heard once', () => {
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789*#ABCD'), minLength: 1, maxLength: 6 })
  test('if of each any one packet arrives, and any are repeated', () => {
    fc.assert(
      fc.property(digits, fc.infiniteStream(fc.integer({ min: 0, max: 3 })), (pressed, copies) => {
        const packets = packetsOf(pressed)
        const kept = packets.flatMap((packet, index) => {
          const isLastOfKey = packets[index + 1]?.timestamp !== packet.timestamp
          const times = copies.next().value ?? 0
          return Array.from({ length: isLastOfKey ? times + 1 : times }, () => packet)
        })
        expect(hear(kept)).toBe(pressed)
      }),
    )
  })

  test('also if a packet is overtaken by those of the next key', () => {
    const packets = packetsOf('12')
    const last = packets.findLast(({ timestamp }) => timestamp === 0)
    expect(hear([...packets, ...(last ? [last] : [])])).toBe('12')
  })
})

test('payloads that are too short, and events that are no keys, are ignored', () => {
  expect(hear([{ timestamp: 1, payload: Uint8Array.of(1, 2, 3) }])).toBe('')
  expect(hear([{ timestamp: 1, payload: Uint8Array.of(16, 0, 0, 1) }])).toBe('')
})

test('keys are heard after the timestamps begin anew', () => {
  const payload = Uint8Array.of(1, 10, 0, 160)
  expect(
    hear([
      { timestamp: 0x40_00_00_00, payload },
      { timestamp: 5, payload },
    ]),
  ).toBe('11')
})
