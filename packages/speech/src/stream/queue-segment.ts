import type { ChunkQueue } from '../engine-kit/chunk-queue.ts'
import { URGENT_MS } from '../engine-kit/task-queue.ts'
import { sampleRateOf, type SpeechEngine, type SynthesisOptions, type SynthesisRequest } from '../engine.ts'

/** The next segment is requested when less than this is queued for the reader. */
const LOOK_AHEAD_SECONDS = 3
/**
 * When more than this is queued for the reader, the engine is freed, and the segment is later synthesized again to resume
 * there, if the engine is repeatable. Ordinary segments are shorter; 400 Braille symbols, each read by name, last two
 * minutes, or more at a slow speed.
 */
const MAX_AHEAD_SECONDS = 30

interface QueuedSegment {
  engine: SpeechEngine
  request: Omit<SynthesisRequest, 'continues'>
  /** Pause after it at a rate of 1, which an engine may make itself; 0 if nothing follows. */
  pauseMs: number
  queue: Pick<ChunkQueue, 'push' | 'waiting' | 'untilBelow'>
  /** Audio that the listener has in hand beside what is queued, in milliseconds. */
  aheadMs: () => number
  options: Omit<SynthesisOptions, 'priority' | 'aheadMs'> & { signal: AbortSignal }
}

/** Queues the speech of a segment for a reader, and its pause, once the reader has taken most of what is queued. */
export async function queueSegment({
  engine,
  request,
  pauseMs,
  queue,
  aheadMs: listenerAheadMs,
  options,
}: QueuedSegment): Promise<void> {
  const { signal, onWord } = options
  const capabilities = engine.capabilities()
  const { repeatable = true, pauses = false } = capabilities
  const sampleRateHz = sampleRateOf(capabilities, request.language)
  const maxAhead = MAX_AHEAD_SECONDS * sampleRateHz
  const continues = pauseMs > 0
  const asked = { ...request, ...(continues && pauses && { continues }) }
  for (let at: number | undefined = 0; at !== undefined;) {
    const from: number = at
    await queue.untilBelow(LOOK_AHEAD_SECONDS * sampleRateHz)
    signal.throwIfAborted()
    const aheadMs = listenerAheadMs() + (queue.waiting() / sampleRateHz) * 1000
    const chunks = engine.synthesize(asked, {
      ...options,
      priority: aheadMs < URGENT_MS ? 'first' : 'later',
      aheadMs,
      // Words before `from` were passed on by an earlier run.
      ...(onWord && {
        onWord: (word) => {
          if (Math.round(word.atSeconds * sampleRateHz) >= from) onWord(word)
        },
      }),
    })
    at = await queueFrom({ chunks, from, queue, maxAhead, repeatable })
  }
  // Slower speech has longer pauses.
  if (continues && !pauses)
    queue.push(new Int16Array(Math.round((pauseMs / 1000 / request.prosody.rate) * sampleRateHz)))
}

/**
 * Queues a segment from a sample on. If too much is queued, an engine that cannot repeat itself waits in the middle.
 *
 * @returns the sample at which it stopped because too much was queued; undefined at the segment's end
 */
async function queueFrom(options: {
  chunks: AsyncIterable<Int16Array>
  from: number
  queue: QueuedSegment['queue']
  maxAhead: number
  repeatable: boolean
}): Promise<number | undefined> {
  const { chunks, from, queue, maxAhead, repeatable } = options
  let at = 0
  for await (const chunk of chunks) {
    const known = Math.max(0, from - at)
    at += chunk.length
    if (known < chunk.length) queue.push(chunk.subarray(known))
    if (queue.waiting() <= maxAhead) continue
    if (repeatable) return at
    await queue.untilBelow(maxAhead)
  }
  return undefined
}
