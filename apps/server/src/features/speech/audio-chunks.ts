const FRAME_MS = 20
const LEAST_FRAMES = 10
const MOST_FRAMES = 50

/**
 * Converts a stream of frames to bytes: the header, then the first frame, which is already read, with those up to 200 ms that are there
 * without a wait. The chunks after it have 200 ms, and grow to a second while the listener has twice as much in hand, because a write
 * costs more than its frames.
 */
export async function* audioChunks(frames: {
  first: IteratorResult<Int16Array>
  rest: AsyncIterator<Int16Array>
  header: Uint8Array | undefined
  toBytes: (samples: Int16Array) => Uint8Array
  nowMs: () => number
}): AsyncGenerator<Uint8Array, void, undefined> {
  const { first, rest, header, toBytes, nowMs } = frames
  try {
    if (header !== undefined) yield header
    if (first.done === true) return
    let gathered = [toBytes(first.value)]
    let next = rest.next()
    const turn = turnOfLoop()
    while (gathered.length < LEAST_FRAMES) {
      const ready = await Promise.race([next, turn])
      if (ready === undefined || ready.done === true) break
      gathered.push(toBytes(ready.value))
      next = rest.next()
    }
    yield Buffer.concat(gathered)
    const startedAtMs = nowMs()
    let sent = gathered.length
    gathered = []
    for (let result = await next; result.done !== true; result = await rest.next()) {
      gathered.push(toBytes(result.value))
      if (gathered.length < LEAST_FRAMES) continue
      const inHand = sent - (nowMs() - startedAtMs) / FRAME_MS
      if (gathered.length < Math.min(MOST_FRAMES, inHand / 2)) continue
      yield Buffer.concat(gathered)
      sent += gathered.length
      gathered = []
    }
    if (gathered.length > 0) yield Buffer.concat(gathered)
  } finally {
    await rest.return?.()
  }
}

const turnOfLoop = (): Promise<undefined> => new Promise((resolve) => setImmediate(() => resolve(undefined)))
