import { describe, expect, test } from 'vitest'
import { createFakeNetwork, type FakeNetwork } from '../../test/support/fake-network.ts'
import { idle, listen, loudest, rtpFrom, send } from '../../test/support/listen.ts'
import { expectHeard, join, pauses, throughMulaw, toneFrames } from '../../test/support/tones.ts'
import { createTwoSessions, srtpKey, type TwoSessions } from '../../test/support/two-sessions.ts'
import { RTP_HEADER_BYTES, writeRtpHeader } from './rtp-packet.ts'
import type { Endpoint } from './source-latch.ts'

const LOUD = 0x80

/** Packets of the loudest sound, from anywhere. */
function createSpoofer(network: FakeNetwork, from: Endpoint, to: Endpoint): () => void {
  let sequenceNumber = 0
  return () => {
    const bytes = new Uint8Array(RTP_HEADER_BYTES + 160).fill(LOUD)
    const timestamp = sequenceNumber * 160
    writeRtpHeader(bytes, { marker: false, payloadType: 0, sequenceNumber, timestamp, ssrc: 66 })
    network.inject({ bytes, from, to })
    sequenceNumber += 1
  }
}
/** Frames of a tone while a spoofer sends as well. */
const amid = (spoof: () => void, acts: readonly (() => void)[]): (() => void)[] =>
  acts.map((act) => () => {
    spoof()
    act()
  })

describe('a spoofer', () => {
  const setUp = async (audio: Parameters<typeof createTwoSessions>[1] = {}) => {
    const network = createFakeNetwork()
    const sessions = await createTwoSessions({ ...network, sampleRateHz: 8000 }, audio)
    return { network, ...sessions, to: { address: '127.0.0.1', port: sessions.callee.localPort } }
  }
  const sent = toneFrames(50, 8000)
  const wanted = join(sent.map(throughMulaw))

  test.each([
    ['at another address', { address: '203.0.113.66', port: 4000 }],
    ['at another port, once the source is known', { address: '127.0.0.1', port: 4000 }],
  ])('%s changes not a bit of what is heard', async (_name, from) => {
    const { network, caller, callee, to } = await setUp()
    const spoof = createSpoofer(network, from, to)
    const heard = listen(network, callee, [
      ...send(caller, sent.slice(0, 5)),
      ...amid(spoof, send(caller, [...sent.slice(5), ...pauses(10)])),
    ])
    expectHeard(heard, wanted)
    expect(callee.quality().packetsReceived).toBe(60)
  })

  test('without the key is not heard over SRTP, even from the source itself', async () => {
    const { network, caller, callee, to } = await setUp({ isSecure: true })
    const spoof = createSpoofer(network, { address: '127.0.0.1', port: caller.localPort }, to)
    const acts = send(caller, [...sent, ...pauses(10)])
    expectHeard(listen(network, callee, amid(spoof, acts)), wanted)
  })

  test('that repeats packets of SRTP is not heard', async () => {
    const { network, caller, callee } = await setUp({ isSecure: true })
    const heard = listen(network, callee, [
      ...send(caller, sent),
      ...idle(50).map((_, index) => () => {
        const old = network.sent.filter(({ to }) => to.port === callee.localPort)[index]
        if (old) network.inject(old)
      }),
    ])
    expectHeard(heard, wanted)
    expect(callee.quality().packetsReceived).toBe(50)
  })

  test('cannot take the reports over', async () => {
    const { network, caller, callee } = await setUp()
    listen(network, callee, send(caller, toneFrames(500, 8000)))
    const before = callee.quality()
    const report = network.sent.find(({ to }) => to.port === callee.localPort + 1)
    if (report === undefined) throw new Error('no report was sent')
    const forged = report.bytes.slice().fill(0xff, 28, 52)
    network.inject({ ...report, bytes: forged, from: { address: '203.0.113.66', port: 5 } })
    expect(callee.quality()).toEqual(before)
  })
})

describe('media from elsewhere than SDP says', () => {
  test('is heard from the address of the signalling, and answered there', async () => {
    const network = createFakeNetwork()
    const { callee, calleeAudio } = await createTwoSessions(network)
    const signallingAddress = '198.51.100.7'
    const remote = { ...calleeAudio.remote, address: '10.0.0.9' }
    callee.agree({ ...calleeAudio, remote, signallingAddress })
    const nat = { address: signallingAddress, port: 61_000 }
    const speak = createSpoofer(network, nat, { address: '127.0.0.1', port: callee.localPort })
    const heard = listen(network, callee, [...idle(2), ...Array.from({ length: 300 }, () => speak)])
    expect(loudest(heard)).toBeGreaterThan(30_000)
    const targets = rtpFrom(network, callee.localPort).map(({ to }) => to)
    expect(targets[0]).toMatchObject({ address: '10.0.0.9', port: remote.port })
    expect(targets.at(-1)).toEqual(nat)
    const reports = rtpFrom(network, callee.localPort + 1).map(({ to }) => to)
    expect(reports.at(-1)).toEqual({ ...nat, port: 61_001 })
  })

  test('is heard after a re-INVITE with a new address, and then the old source no more', async () => {
    const network = createFakeNetwork()
    const { caller, callee, calleeAudio } = await createTwoSessions(network)
    listen(network, callee, send(caller, toneFrames(20)))
    const moved = { address: '192.0.2.50', port: 7000 }
    callee.agree({ ...calleeAudio, remote: { ...calleeAudio.remote, ...moved } })
    const silence = listen(network, callee, send(caller, toneFrames(30))).slice(15)
    expect(loudest(silence)).toBe(0)
    const speak = createSpoofer(network, moved, { address: '127.0.0.1', port: callee.localPort })
    expect(
      loudest(
        listen(
          network,
          callee,
          Array.from({ length: 20 }, () => speak),
        ),
      ),
    ).toBeGreaterThan(30_000)
    expect(rtpFrom(network, callee.localPort).at(-1)?.to).toEqual(moved)
  })
})

test('under the same keys, a repeated agreement lets nothing be replayed', async () => {
  const network = createFakeNetwork()
  const { caller, callee, calleeAudio }: TwoSessions = await createTwoSessions(network, { isSecure: true })
  listen(network, callee, send(caller, toneFrames(10)))
  callee.agree({ ...calleeAudio, receiveKey: srtpKey(1) })
  for (const datagram of network.sent.filter(({ to }) => to.port === callee.localPort))
    network.inject(datagram)
  expect(callee.quality().packetsReceived).toBe(10)
})

test('any bytes from the right place do no harm', async () => {
  const network = createFakeNetwork()
  const { caller, callee } = await createTwoSessions({ ...network, sampleRateHz: 8000 })
  const from = { address: '127.0.0.1', port: caller.localPort }
  let state = 7
  const garbage = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const bytes = Uint8Array.from({ length: state % 97 }, (_, n) => (state >>> (n % 24)) + n)
    for (const offset of [0, 1])
      network.inject({
        bytes,
        from: { ...from, port: from.port + offset },
        to: { address: '127.0.0.1', port: callee.localPort + offset },
      })
  }
  const sent = toneFrames(50, 8000)
  const heard = listen(network, callee, amid(garbage, send(caller, [...sent, ...pauses(10)])))
  expectHeard(heard, join(sent.map(throughMulaw)))
})
