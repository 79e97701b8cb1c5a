import { measureLevels } from '@vaani/pcm-audio'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFakeNetwork } from '../../test/support/fake-network.ts'
import { join, pauses, toneFrames } from '../../test/support/tones.ts'
import { createTwoSessions } from '../../test/support/two-sessions.ts'
import { readUint32, writeUint32 } from './bytes.ts'
import { createOpusCodec } from './opus-codec.ts'
import { readRtp } from './rtp-packet.ts'

/** Lets a caller talk to a callee, and returns what was heard and sent. */
async function talk(
  frames: readonly (Int16Array | null)[],
  options: {
    readonly press?: string
    readonly isSecure?: boolean
  } = {},
) {
  const network = createFakeNetwork()
  const { caller, callee } = await createTwoSessions(network, {
    codec: 'opus',
    packetMs: 40,
    isSecure: options.isSecure ?? false,
  })
  const keys: string[] = []
  callee.onKey((digit) => keys.push(digit))
  caller.press(options.press ?? '')
  const heard = frames.map((frame) => {
    network.advance(20)
    caller.tick(frame)
    return callee.tick(null).slice()
  })
  const toCallee = network.sent.filter(({ to }) => to.port === callee.localPort)
  const packets = toCallee.flatMap(({ bytes }) => readRtp(bytes) ?? [])
  return { heard, keys, packets, quality: callee.quality() }
}

test.each([{ isSecure: false }, { isSecure: true }])(
  'a tone arrives, in packets of 20 ms by a clock of 48 kHz ($isSecure)',
  async ({ isSecure }) => {
    const { heard, packets, quality } = await talk(toneFrames(100), { isSecure })
    const level = measureLevels(join(toneFrames(20))).rmsDbfs
    expect(measureLevels(join(heard.slice(50))).rmsDbfs).toBeCloseTo(level, 0)
    const [first, second] = packets
    if (first === undefined || second === undefined) throw new Error('nothing was sent')
    expect((second.timestamp - first.timestamp) >>> 0).toBe(960)
    // 20 kbit/s are 50 bytes a frame, where G.711 and G.722 have 160.
    const bytes = packets.reduce((sum, { payload }) => sum + payload.length, 0)
    expect(bytes / packets.length).toBeLessThan(80)
    expect(quality).toMatchObject({ packetsReceived: 100, lostFraction: 0, jitterMs: 0 })
  },
)

test('keys are heard beside it, with durations by its clock', async () => {
  const { keys, packets } = await talk(toneFrames(60), { press: '19#' })
  expect(keys).toEqual(['1', '9', '#'])
  const [event] = packets.filter(({ payloadType }) => payloadType === 110)
  expect([...(event?.payload ?? [])]).toEqual([1, 10, 960 >> 8, 960 & 0xff])
})

test('a pause is silence', async () => {
  const { heard } = await talk([...toneFrames(30), ...pauses(60)])
  expect(measureLevels(join(heard.slice(60))).rmsDbfs).toBeLessThan(-60)
})

/** Returns what is heard of a tone whose first timestamp is this one. */
async function hearFrom(firstTimestamp: number): Promise<Int16Array> {
  const SOURCE = 7
  // Only copies with other timestamps arrive.
  const network = createFakeNetwork({ fate: ({ bytes }) => (readUint32(bytes, 8) === SOURCE ? [0] : []) })
  const { caller, callee } = await createTwoSessions(network, { codec: 'opus' })
  const heard = toneFrames(100).map((frame, index) => {
    network.advance(20)
    caller.tick(frame)
    const packet = network.sent.findLast(({ to }) => to.port === callee.localPort)
    if (packet === undefined) throw new Error('nothing was sent')
    const bytes = packet.bytes.slice()
    writeUint32(bytes, 4, (firstTimestamp + index * 960) >>> 0)
    writeUint32(bytes, 8, SOURCE)
    network.inject({ ...packet, bytes })
    return callee.tick(null).slice()
  })
  return join(heard)
}

test('nothing is lost where timestamps begin anew, though a third of them does not', async () => {
  expect(await hearFrom(2 ** 32 - 40 * 960)).toEqual(await hearFrom(960))
})

test('packets of anything are dropped or decoded, and never throw', async () => {
  const codec = await createOpusCodec()
  const into = new Int16Array(0)
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 1500 }), (bytes) => {
      const samples = codec.decode(bytes, into)
      expect(samples === undefined || samples.length <= 120 * 16).toBe(true)
    }),
  )
  codec.release()
})
