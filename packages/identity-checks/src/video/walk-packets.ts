import { open } from 'node:fs/promises'
import { EncodedPacketSink, FilePathSource, Input, MP4, QTFF, WEBM } from 'mediabunny'
import { MediaError } from '../media/media-error.ts'
import { SNIFF_BYTES, sniffMedia } from '../media/sniff.ts'
import type { ProbedVideo } from './probe-video.ts'

/** Ten seconds at 240 frames per second are 2400. */
const MAX_PACKETS = 5000

/**
 * Measures a video by its packets. A damaged file can keep the parser busy forever.
 *
 * @throws MediaError `unknown_type`, `damaged`, `no_video`
 */
export async function walkPackets(file: string): Promise<ProbedVideo> {
  await requireVideoType(file)
  const input = new Input({ source: new FilePathSource(file), formats: [MP4, QTFF, WEBM] })
  try {
    if (!(await input.canRead())) throw new MediaError('damaged', 'is damaged or incomplete')
    const track = await input.getPrimaryVideoTrack()
    if (track === null) throw new MediaError('no_video', 'contains no video')
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
    let endSeconds = lastSeconds
    const sound = await input.getPrimaryAudioTrack()
    if (sound !== null) {
      let soundPackets = 0
      for await (const { timestamp, duration } of new EncodedPacketSink(sound).packets()) {
        endSeconds = Math.max(endSeconds, timestamp + duration)
        if (++soundPackets >= MAX_PACKETS) break
      }
    }
    if (packets === 0 || keyPackets === 0) throw new MediaError('damaged', 'is damaged or incomplete')
    return {
      durationSeconds: lastSeconds - firstSeconds,
      wholeSeconds: endSeconds - firstSeconds,
      announcedSeconds: await input.getDurationFromMetadata(),
      packets,
      codec: track.codec,
      width: track.displayWidth,
      height: track.displayHeight,
    }
  } catch (error) {
    if (error instanceof MediaError) throw error
    // The library throws many kinds of errors for a damaged file, and the kind is of no use.
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
    throw new MediaError('unknown_type', 'is not an MP4, MOV or WebM video')
}
