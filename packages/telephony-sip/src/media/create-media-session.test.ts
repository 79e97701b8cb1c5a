import { measureLevels } from '@vaani/pcm-audio'
import { describe, expect, test } from 'vitest'
import { createFakeNetwork, type FakeNetwork } from '../../test/support/fake-network.ts'
import { expectHeard, join, pauses, throughMulaw, toneFrames } from '../../test/support/tones.ts'
import { createTwoSessions, type TwoSessions } from '../../test/support/two-sessions.ts'
import { readRtp } from './rtp-packet.ts'

const FRAME_MS = 20

/** Ticks both sides, and returns all that the callee heard. */
function talk(
  network: FakeNetwork,
  { caller, callee }: TwoSessions,
  frames: readonly (Int16Array | null)[],
): Int16Array[] {
  return frames.map((frame) => {
    network.advance(FRAME_MS)
    caller.tick(frame)
    return callee.tick(null).slice()
  })
}
/** Packets of RTP that went to a session, as they were on the wire. */
const rtpTo = (network: FakeNetwork, port: number) =>
  network.sent.flatMap(({ bytes, to }) => {
    const packet = to.port === port ? readRtp(bytes) : undefined
    return packet === undefined ? [] : [packet]
  })

describe('what is heard is the μ-law of what was sent, bit for bit', () => {
  test.each([
    ['in the open', {}],
    ['over SRTP', { isSecure: true }],
    ['in packets of 40 ms', { packetMs: 40 }],
    ['in packets of 60 ms', { packetMs: 60 }],
  ])('%s', async (_name, audio) => {
    const network = createFakeNetwork()
    const sessions = await createTwoSessions({ ...network, sampleRateHz: 8000 }, audio)
    const sent = toneFrames(60, 8000)
    const heard = talk(network, sessions, [...sent, ...pauses(20)])
    expectHeard(heard, join(sent.map(throughMulaw)))
  })

  test('also if packets are repeated, and arrive out of order', async () => {
    const network = createFakeNetwork({ fate: (_, index) => [[15], [35, 36], [5]][index % 3] ?? [] })
    const sessions = await createTwoSessions({ ...network, sampleRateHz: 8000 })
    const sent = toneFrames(60, 8000)
    expectHeard(talk(network, sessions, [...sent, ...pauses(20)]), join(sent.map(throughMulaw)))
  })
})

test.each(['PCMU', 'PCMA', 'G722'] as const)('%s carries a tone at 16 kHz', async (codec) => {
  const network = createFakeNetwork()
  const sessions = await createTwoSessions(network, { codec })
  const heard = talk(network, sessions, toneFrames(100))
  expect(heard[0]).toHaveLength(320)
  const sentLevel = measureLevels(join(toneFrames(20))).rmsDbfs
  expect(measureLevels(join(heard.slice(50))).rmsDbfs).toBeCloseTo(sentLevel, 0)
  const payloads = rtpTo(network, sessions.callee.localPort).map(({ payload }) => payload.length)
  expect(new Set(payloads)).toEqual(new Set([160]))
})

test('numbers and timestamps go on evenly, and the marker is on the first packet alone', async () => {
  const network = createFakeNetwork()
  const sessions = await createTwoSessions(network)
  talk(network, sessions, [...toneFrames(3), null, ...toneFrames(2)])
  const packets = rtpTo(network, sessions.callee.localPort)
  const [first] = packets
  if (first === undefined) throw new Error('nothing was sent')
  expect(packets.map(({ sequenceNumber }) => sequenceNumber - first.sequenceNumber)).toEqual([
    0, 1, 2, 3, 4, 5,
  ])
  expect(packets.map(({ timestamp }) => timestamp - first.timestamp)).toEqual([0, 160, 320, 480, 640, 800])
  expect(packets.map(({ marker }) => marker)).toEqual([true, false, false, false, false, false])
})

describe('comfort noise, if it was agreed', () => {
  test('takes the place of packets in a pause, and the first packet after it has the marker', async () => {
    const network = createFakeNetwork()
    const sessions = await createTwoSessions(network, { comfortNoise: 13 })
    talk(network, sessions, [...toneFrames(5), ...pauses(45), ...toneFrames(2)])
    const packets = rtpTo(network, sessions.callee.localPort)
    expect(packets.map(({ payloadType }) => payloadType)).toEqual([0, 0, 0, 0, 0, 0, 13, 13, 13, 0, 0])
    expect(packets.map(({ marker }) => marker).lastIndexOf(true)).toBe(9)
  })

  test('is heard in the pause, and the sound before and after it is whole', async () => {
    const network = createFakeNetwork()
    const sessions = await createTwoSessions({ ...network, sampleRateHz: 8000 }, { comfortNoise: 13 })
    const sent = toneFrames(30, 8000)
    const heard = talk(network, sessions, [...sent, ...pauses(60), ...toneFrames(30, 8000), ...pauses(10)])
    expectHeard(heard, join(sent.map(throughMulaw)))
    const level = measureLevels(join(heard.slice(50, 85))).rmsDbfs
    // -70 dBov is 3 dB less below a full-scale sine.
    expect(level).toBeGreaterThan(-70)
    expect(level).toBeLessThan(-64)
    expect(measureLevels(join(heard.slice(95, 115))).rmsDbfs).toBeGreaterThan(-20)
  })

  test('is silence of its own packets otherwise', async () => {
    const network = createFakeNetwork()
    const sessions = await createTwoSessions(network)
    talk(network, sessions, pauses(5))
    expect(rtpTo(network, sessions.callee.localPort)).toHaveLength(5)
  })
})

describe('keys', () => {
  test('are heard once each, in both directions, though a third of the packets is lost', async () => {
    const network = createFakeNetwork({ fate: (_, index) => (index > 20 && index % 3 === 0 ? [] : [0]) })
    const sessions = await createTwoSessions(network)
    const heard: string[] = []
    sessions.callee.onKey((digit) => heard.push(`callee ${digit}`))
    sessions.caller.onKey((digit) => heard.push(`caller ${digit}`))
    talk(network, sessions, toneFrames(10))
    sessions.caller.press('19#')
    sessions.callee.press('*')
    talk(network, sessions, toneFrames(60))
    expect(heard.filter((key) => key.startsWith('callee'))).toEqual(['callee 1', 'callee 9', 'callee #'])
    expect(heard.filter((key) => key.startsWith('caller'))).toEqual(['caller *'])
  })
})

describe('loss', () => {
  test('is concealed, counted, reported to the sender, and lowers the score', async () => {
    const network = createFakeNetwork({ fate: (_, index) => (index > 50 && index % 10 === 0 ? [] : [10]) })
    const sessions = await createTwoSessions(network)
    const heard = talk(network, sessions, toneFrames(1000))
    // No frame in the middle falls silent.
    expect(Math.min(...heard.slice(100, 900).map((frame) => measureLevels(frame).rmsDbfs))).toBeGreaterThan(
      -30,
    )
    const callee = sessions.callee.quality()
    expect(callee.lostFraction).toBeGreaterThan(0.02)
    const caller = sessions.caller.quality()
    expect(caller.remoteLostFraction).toBeGreaterThan(0.02)
    expect(caller.roundTripMs).toBeGreaterThanOrEqual(10)
    expect(caller.roundTripMs).toBeLessThanOrEqual(60)
    expect(callee.mos).toBeLessThan(4.2)
    expect(callee.packetsReceived).toBeLessThan(caller.packetsSent)
  })

  test('there is none on a good line, whose score is the best there is', async () => {
    const network = createFakeNetwork()
    const sessions = await createTwoSessions(network, { isSecure: true })
    talk(network, sessions, toneFrames(1000))
    expect(sessions.callee.quality()).toMatchObject({
      packetsSent: 1000,
      packetsReceived: 1000,
      lostFraction: 0,
      jitterMs: 0,
      remoteLostFraction: 0,
      remoteJitterMs: 0,
    })
    expect(sessions.callee.quality().mos).toBeCloseTo(4.41, 2)
  })

  test('a pause does not lower the score', async () => {
    const network = createFakeNetwork()
    const sessions = await createTwoSessions(network, { comfortNoise: 13 })
    talk(network, sessions, [...toneFrames(100), ...pauses(300)])
    expect(sessions.callee.quality().mos).toBeCloseTo(4.41, 2)
  })
})
