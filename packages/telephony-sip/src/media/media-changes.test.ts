import { measureLevels } from '@vaani/pcm-audio'
import { describe, expect, test } from 'vitest'
import { createFakeNetwork, type FakeNetwork } from '../../test/support/fake-network.ts'
import { listen, loudest, rtpFrom, send } from '../../test/support/listen.ts'
import { join, pauses, toneFrames } from '../../test/support/tones.ts'
import { createTwoSessions } from '../../test/support/two-sessions.ts'
import type { CodecName } from '../sdp/description.ts'
import type { MediaSession } from './media-session.ts'
import { readRtcp } from './rtcp-packet.ts'
import { readRtp } from './rtp-packet.ts'

describe('hold', () => {
  const holdAndResume = async (audio: { readonly codec?: CodecName }) => {
    const network = createFakeNetwork()
    const sessions = await createTwoSessions(network, audio)
    const { caller, callee, callerAudio } = sessions
    listen(network, callee, send(caller, toneFrames(10)))
    caller.agree({ ...callerAudio, direction: 'inactive' })
    return { network, ...sessions }
  }

  test('sends nothing, and the first packet after it has the marker and the right timestamp', async () => {
    const { network, caller, callee, callerAudio } = await holdAndResume({})
    listen(network, callee, send(caller, toneFrames(50)))
    expect(rtpFrom(network, caller.localPort)).toHaveLength(10)
    caller.agree(callerAudio)
    listen(network, callee, send(caller, toneFrames(2)))
    const packets = rtpFrom(network, caller.localPort).map(({ bytes }) => readRtp(bytes))
    expect(packets.slice(10).map((packet) => packet?.marker)).toEqual([true, false])
    const step = ((packets[10]?.timestamp ?? 0) - (packets[9]?.timestamp ?? 0)) >>> 0
    expect(step).toBe(51 * 160)
  })

  test('is silent to the one who holds, whatever the far end sends', async () => {
    const { network, caller, callee } = await holdAndResume({})
    listen(network, caller, send(callee, pauses(20)))
    expect(loudest(listen(network, caller, send(callee, toneFrames(30))))).toBe(0)
  })

  test('by an address of none lets the same source go on', async () => {
    const network = createFakeNetwork()
    const { caller, callee, calleeAudio } = await createTwoSessions(network)
    listen(network, callee, send(caller, toneFrames(10)))
    const remote = { ...calleeAudio.remote, address: '0.0.0.0' }
    callee.agree({ ...calleeAudio, remote, direction: 'recvonly' })
    const sentBefore = network.sent.filter(({ from }) => from.port !== caller.localPort).length
    const heard = listen(network, callee, send(caller, toneFrames(500)))
    expect(loudest(heard.slice(450))).toBeGreaterThan(8000)
    const sent = network.sent.filter(({ to }) => Math.abs(to.port - caller.localPort) <= 1)
    expect(sent).toHaveLength(sentBefore)
  })

  test('can end with another codec', async () => {
    const { network, caller, callee, callerAudio, calleeAudio } = await holdAndResume({})
    const wideband = {
      codecs: [{ name: 'G722', payloadType: 9 }],
      codec: { name: 'G722', payloadType: 9 },
    } as const
    for (const [session, audio] of [
      [caller, callerAudio],
      [callee, calleeAudio],
    ] as const) {
      const { codecs, codec } = wideband
      session.agree({
        ...audio,
        local: { ...audio.local, codecs },
        remote: { ...audio.remote, codecs },
        codec,
      })
    }
    const heard = listen(network, callee, send(caller, toneFrames(60)))
    expect(measureLevels(join(heard.slice(30))).rmsDbfs).toBeGreaterThan(-15)
  })
})

describe('reports', () => {
  const minute = 3000
  const reportsOf = (network: FakeNetwork, session: MediaSession) =>
    rtpFrom(network, session.localPort + 1).map(({ bytes }) => readRtcp(bytes).map(({ kind }) => kind))

  test('come each 5 s or so, of the sender and of who only listens', async () => {
    const network = createFakeNetwork()
    const { caller, callee, calleeAudio } = await createTwoSessions(network)
    callee.agree({ ...calleeAudio, direction: 'recvonly' })
    listen(network, callee, send(caller, toneFrames(minute)))
    const fromCaller = reportsOf(network, caller)
    const fromCallee = reportsOf(network, callee)
    for (const reports of [fromCaller, fromCallee]) {
      expect(reports.length).toBeGreaterThanOrEqual(8)
      expect(reports.length).toBeLessThanOrEqual(24)
    }
    expect(fromCaller.every(([first]) => first === 'sender_report')).toBe(true)
    expect(fromCallee.every(([first]) => first === 'receiver_report')).toBe(true)
  })

  test('end with a goodbye, once, and then nothing is sent', async () => {
    const network = createFakeNetwork()
    const { caller, callee } = await createTwoSessions(network)
    listen(network, callee, send(caller, toneFrames(5)))
    caller.close()
    caller.close()
    const packets = network.sent.length
    caller.tick(null)
    expect(network.sent).toHaveLength(packets)
    expect(reportsOf(network, caller)).toEqual([['sender_report', 'canonical_name', 'bye']])
  })
})
