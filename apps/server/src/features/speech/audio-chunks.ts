import { watchReceiver } from '@vaani/service-kit/http/watch-receiver'

/** Frames per chunk: 200 ms, which takes a tenth of the writes. The first frame is sent alone, to be heard at once. */
const FRAMES_PER_CHUNK = 10

/**
 * Converts a stream of frames to bytes: the header, the first frame, which is already read, then the rest in chunks of whole
 * frames. See `watchReceiver` for the limits.
 */
export const audioChunks = ({
  idleMs,
  limitMs,
  onStuck,
  ...frames
}: Frames & Parameters<typeof watchReceiver>[1]): AsyncGenerator<Uint8Array> =>
  watchReceiver(gather(frames), { idleMs, limitMs, onStuck })

interface Frames {
  first: IteratorResult<Int16Array>
  rest: AsyncIterator<Int16Array>
  header: Uint8Array | undefined
  toBytes: (samples: Int16Array) => Uint8Array
}

async function* gather({ first, rest, header, toBytes }: Frames): AsyncGenerator<Uint8Array> {
  try {
    if (header !== undefined) yield header
    if (first.done === true) return
    yield toBytes(first.value)
    let frames: Uint8Array[] = []
    for (let result = await rest.next(); result.done !== true; result = await rest.next()) {
      frames.push(toBytes(result.value))
      if (frames.length < FRAMES_PER_CHUNK) continue
      yield Buffer.concat(frames)
      frames = []
    }
    if (frames.length > 0) yield Buffer.concat(frames)
  } finally {
    await rest.return?.()
  }
}
