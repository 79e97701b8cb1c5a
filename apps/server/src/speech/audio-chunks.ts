/** Frames in one chunk after the first: 200 ms, a tenth of the writes. The first goes alone, to be heard at once. */
const FRAMES_PER_CHUNK = 10

/**
 * The bytes of a stream of frames: the one that was read already, then the rest in chunks of whole frames. `onIdle` is
 * told where nobody takes a chunk for `idleMs`, so that a stuck receiver can be let go.
 */
export async function* audioChunks(options: {
  first: IteratorResult<Int16Array>
  rest: AsyncIterator<Int16Array>
  header: Uint8Array | undefined
  toBytes: (samples: Int16Array) => Uint8Array
  idleMs: number
  onIdle: () => void
}): AsyncGenerator<Uint8Array> {
  const { first, rest, header, toBytes, idleMs, onIdle } = options
  const idle = setTimeout(onIdle, idleMs)
  try {
    if (header !== undefined) yield header
    if (first.done === true) return
    yield toBytes(first.value)
    let frames: Uint8Array[] = []
    for (let result = await rest.next(); result.done !== true; result = await rest.next()) {
      frames.push(toBytes(result.value))
      if (frames.length < FRAMES_PER_CHUNK) continue
      yield Buffer.concat(frames)
      idle.refresh()
      frames = []
    }
    if (frames.length > 0) yield Buffer.concat(frames)
  } finally {
    clearTimeout(idle)
    await rest.return?.()
  }
}
