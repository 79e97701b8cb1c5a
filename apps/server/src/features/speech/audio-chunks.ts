/** Frames per chunk: 200 ms, which takes a tenth of the writes. The first frame is sent alone, to be heard at once. */
const FRAMES_PER_CHUNK = 10

/** Why a stream is aborted: the receiver read nothing for too long, or the whole stream took too long. */
export type StuckReason = 'idle' | 'limit'

/**
 * Converts a stream of frames to bytes: the header, the first frame, which is already read, then the rest in chunks of whole
 * frames. Calls `onStuck` if a chunk is not read within `idleMs`, or the last one not within `limitMs`, so that the caller can
 * drop the receiver. Time spent waiting for the engine does not count as idle.
 */
export async function* audioChunks(options: {
  first: IteratorResult<Int16Array>
  rest: AsyncIterator<Int16Array>
  header: Uint8Array | undefined
  toBytes: (samples: Int16Array) => Uint8Array
  idleMs: number
  limitMs: number
  onStuck: (reason: StuckReason) => void
}): AsyncGenerator<Uint8Array> {
  const { idleMs, limitMs, onStuck } = options
  const limit = setTimeout(() => onStuck('limit'), limitMs)
  let idle: NodeJS.Timeout | undefined
  try {
    for await (const chunk of gather(options)) {
      idle = setTimeout(() => onStuck('idle'), idleMs)
      yield chunk
      clearTimeout(idle)
    }
  } finally {
    clearTimeout(limit)
    clearTimeout(idle)
  }
}

async function* gather(options: Parameters<typeof audioChunks>[0]): AsyncGenerator<Uint8Array> {
  const { first, rest, header, toBytes } = options
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
