import { open } from 'node:fs/promises'
import { EncodedPacketSink, FilePathSource, Input, MP4, QTFF, WEBM } from 'mediabunny'
import { MediaError } from '../media-error.ts'
import { SNIFF_BYTES, sniffMedia } from '../sniff.ts'
import type { ProbedVideo } from './probe-video.ts'

/** Ten seconds at 240 frames a second are 2400. */
const MAX_PACKETS = 5000

/**
 * What a video holds by its packets. A damaged file can hold the parser for ever.
 *
 * @throws MediaError `unknown_type`, `damaged`, `no_video`
 */
export async function walkPackets(file: string): Promise<ProbedVideo> {
  await requireVideoType(file)
  const input = new Input({ source: new FilePathSource(file), formats: [MP4, QTFF, WEBM] })
  try {
    if (!(await input.canRead())) throw new MediaError('damaged', 'is damaged or incomplete')
    const track = await input.getPrimaryVideoTrack()
    if (track === null) throw new MediaError('no_video', 'has no video in it')
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
    if (packets === 0 || keyPackets === 0) throw new MediaError('damaged', 'is damaged or incomplete')
    return {
      durationSeconds: lastSeconds - firstSeconds,
      announcedSeconds: await input.getDurationFromMetadata(),
      packets,
      codec: track.codec,
      width: track.displayWidth,
      height: track.displayHeight,
    }
  } catch (error) {
    if (error instanceof MediaError) throw error
    // The library throws many kinds for a damaged file; which one it was helps nobody.
    throw new MediaError('damaged', 'is damaged or incomplete', error)
  } finally {
    input.dispose()
  }
}

async function requireVideoType(file: string): Promise<void> {
  await using handle = await open(file)
  const { buffer, bytesRead } = await handle.read(new Uint8Array(SNIFF_BYTES), 0, SNIFF_BYTES, 0)
  const type = sniffMedia(buffer.subarray(0, bytesRead))
  if (type === null || !type.startsWith('video/'))
    throw new MediaError('unknown_type', 'is no MP4, MOV or WebM video')
}
