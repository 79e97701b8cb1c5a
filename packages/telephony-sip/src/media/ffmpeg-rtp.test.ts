import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { alaw, decodeInt16, mulaw } from '@vaani/pcm-audio'
import { describe, test } from 'vitest'
import { createFakeNetwork, type Datagram } from '../../test/support/fake-network.ts'
import { expectHeard } from '../../test/support/tones.ts'
import { describeAudio, repeatableBytes, srtpKey } from '../../test/support/two-sessions.ts'
import { readUint32 } from './bytes.ts'
import { createMediaSession } from './create-media-session.ts'
import { openUdpSocket } from './udp-socket.ts'

const isFfmpegHere = spawnSync('ffmpeg', ['-version']).status === 0
const address = '127.0.0.1'
const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=8000:duration=1', '-ac', '1']

/** Returns the packets of RTP that ffmpeg sends of a second of a tone. */
async function recordRtp(scheme: 'rtp' | 'srtp', options: readonly string[]): Promise<Datagram[]> {
  const rtp = await openUdpSocket(address, 0)
  const rtcp = await openUdpSocket(address, 0)
  const packets: Datagram[] = []
  const end = Promise.withResolvers<void>()
  rtp.onPacket((bytes, from) => {
    if (from.port === rtcp.port) end.resolve()
    else packets.push({ bytes: Uint8Array.from(bytes), from, to: { address, port: rtp.port } })
  })
  const to = `${scheme}://${address}:${rtp.port}?rtcpport=${rtcp.port}&pkt_size=172`
  const child = spawn('ffmpeg', ['-v', 'error', ...tone, ...options, '-f', 'rtp', to])
  await once(child, 'exit')
  // Comes after all that ffmpeg sent.
  rtcp.send(Uint8Array.of(0), { address, port: rtp.port })
  await end.promise
  rtp.close()
  rtcp.close()
  return packets
}

/** Plays packets to a session at the times that their timestamps say, and returns what it heard. */
async function hear(
  packets: readonly Datagram[],
  name: 'PCMU' | 'PCMA',
  isSecure: boolean,
): Promise<Int16Array[]> {
  const network = createFakeNetwork()
  const session = await createMediaSession({
    ...network,
    localAddress: address,
    sampleRateHz: 8000,
    randomBytes: repeatableBytes(1),
  })
  const local = describeAudio(session, { codec: name })
  const [codec] = local.codecs
  const port = packets[0]?.from.port
  if (codec === undefined || port === undefined) throw new Error('ffmpeg sent nothing')
  const keys = isSecure ? { sendKey: srtpKey(1), receiveKey: srtpKey(2) } : {}
  session.agree({ local, remote: { ...local, port }, codec, direction: 'sendrecv', ...keys })
  const timestampOf = ({ bytes }: Datagram) => readUint32(bytes, 4)
  const start = packets[0] === undefined ? 0 : timestampOf(packets[0])
  return Array.from({ length: 60 }, (_, tick) => {
    network.advance(20)
    for (const packet of packets)
      if ((((timestampOf(packet) - start) >>> 0) / 160) >> 0 === tick)
        network.inject({ ...packet, to: { address, port: session.localPort } })
    return session.tick(null).slice()
  })
}

describe.skipIf(!isFfmpegHere)('what ffmpeg sends is heard bit for bit', () => {
  const suite = ['-srtp_out_suite', 'AES_CM_128_HMAC_SHA1_80']
  const key = ['-srtp_out_params', Buffer.from(srtpKey(2).keyAndSalt).toString('base64')]
  test.each([
    ['PCMU', 'pcm_mulaw', mulaw, false],
    ['PCMA', 'pcm_alaw', alaw, true],
  ] as const)('of %s', async (name, encoder, format, isSecure) => {
    const packets = await recordRtp(isSecure ? 'srtp' : 'rtp', [
      '-acodec',
      encoder,
      ...(isSecure ? [...suite, ...key] : []),
    ])
    const raw = spawnSync('ffmpeg', ['-v', 'error', ...tone, '-f', format.name, '-']).stdout
    expectHeard(await hear(packets, name, isSecure), decodeInt16(raw, format))
  })
})
