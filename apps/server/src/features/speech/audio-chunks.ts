/** Frames per chunk: 200 ms, which takes a tenth of the writes. The first frame is sent alone, to be heard at once. */
const FRAMES_PER_CHUNK = 10

/**
 * Converts a stream of frames to bytes: the header, the first frame, which is already read, then the rest in chunks of whole
 * frames.
 */
export async function* audioChunks(frames: {
  first: IteratorResult<Int16Array>
  rest: AsyncIterator<Int16Array>
  header: Uint8Array | undefined
  toBytes: (samples: Int16Array) => Uint8Array
}): AsyncGenerator<Uint8Array, void, undefined> {
  const { first, rest, header, toBytes } = frames
  try {
    if (header !== undefined) yield header
    if (first.done === true) return
    yield toBytes(first.value)
    let gathered: Uint8Array[] = []
    for (let result = await rest.next(); result.done !== true; result = await rest.next()) {
      gathered.push(toBytes(result.value))
      if (gathered.length < FRAMES_PER_CHUNK) continue
      yield Buffer.concat(gathered)
      gathered = []
    }
    if (gathered.length > 0) yield Buffer.concat(gathered)
  } finally {
    await rest.return?.()
  }
}
