/** Frames in one chunk after the first: 200 ms, a tenth of the writes. The first goes alone, to be heard at once. */
const FRAMES_PER_CHUNK = 10

/** Why a stream is given up: nobody took a chunk for too long, or the whole took too long. */
export type StuckReason = 'idle' | 'limit'

/**
 * The bytes of a stream of frames: the one that was read already, then the rest in chunks of whole frames. Calls
 * `onStuck` if a chunk is not taken for `idleMs`, or the last is not within `limitMs`, so that the receiver can be let
 * go. Waiting for the engine counts as no idleness.
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
