/** Walks the packets of videos, in a thread that can be ended: a damaged file can hold the parser for ever. */
import { type MessagePort, parentPort } from 'node:worker_threads'
import { EncodedPacketSink, FilePathSource, Input, MP4, QTFF, WEBM } from 'mediabunny'
import type { ProbeAnswer, ProbeRequest } from './probe-video.ts'

/** Ten seconds at 240 frames a second are 2400. */
const MAX_PACKETS = 5000

async function probe(file: string): Promise<ProbeAnswer> {
  const input = new Input({ source: new FilePathSource(file), formats: [MP4, QTFF, WEBM] })
  try {
    if (!(await input.canRead())) return { ok: false, code: 'damaged' }
    const track = await input.getPrimaryVideoTrack()
    if (track === null) return { ok: false, code: 'no_video' }
    let packets = 0
    let keyPackets = 0
    let firstSeconds = Number.POSITIVE_INFINITY
    let lastSeconds = 0
    for await (const packet of new EncodedPacketSink(track).packets()) {
      packets++
      if (packet.type === 'key') keyPackets++
      firstSeconds = Math.min(firstSeconds, packet.timestamp)
      lastSeconds = Math.max(lastSeconds, packet.timestamp + packet.duration)
      if (packets >= MAX_PACKETS) break
    }
    if (packets === 0 || keyPackets === 0) return { ok: false, code: 'damaged' }
    const announcedSeconds = await input.getDurationFromMetadata()
    return {
      ok: true,
      durationSeconds: lastSeconds - firstSeconds,
      announcedSeconds,
      packets,
      codec: track.codec,
      width: track.displayWidth,
      height: track.displayHeight,
    }
  } catch {
    // The library throws many kinds for a damaged file; which one it was helps nobody.
    return { ok: false, code: 'damaged' }
  } finally {
    input.dispose()
  }
}

function serve(port: MessagePort): void {
  port.on('message', async ({ file }: ProbeRequest) => port.postMessage(await probe(file)))
}

if (parentPort) serve(parentPort)
