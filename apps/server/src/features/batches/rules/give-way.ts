import type { BatchEndpoint } from '@vaani/contracts'

/** How a request gives way to callers. */
interface Manners {
  /** How long no caller must have been served before a request starts. */
  pauseMs: number
  /** How far apart requests start while callers are present. */
  apartMs: number
  /** How long after the previous request one starts all the same. */
  giveWayMs: number
}

/** A chat takes a millisecond of this process, or less; many at once delay any caller who comes meanwhile. */
const LIGHT: Manners = { pauseMs: 3, apartMs: 4, giveWayMs: 250 }
/** Takes a processor for a while. */
const HEAVY: Manners = { pauseMs: 100, apartMs: 0, giveWayMs: 2000 }
const MANNERS: Readonly<Record<BatchEndpoint, Manners>> = {
  '/v1/chat/completions': LIGHT,
  '/v1/responses': LIGHT,
  '/v1/completions': LIGHT,
  '/v1/embeddings': LIGHT,
  '/v1/moderations': LIGHT,
  '/v1/audio/speech': HEAVY,
  '/v1/engine/synthesize': HEAVY,
  '/v1/ocr/process': HEAVY,
}

/** How long callers count as present after the last one. */
const PRESENT_MS = 1000

/**
 * Whether a request of a batch must wait because callers are being served.
 *
 * @param options.sinceMs time since the previous request to the endpoint started
 * @param options.isQuiet whether no caller was served within a time
 */
export function givesWay(
  endpoint: BatchEndpoint,
  { sinceMs, isQuiet }: { sinceMs: number; isQuiet: (pauseMs: number) => boolean },
): boolean {
  const { pauseMs, apartMs, giveWayMs } = MANNERS[endpoint]
  return sinceMs < giveWayMs && !isQuiet(sinceMs < apartMs ? PRESENT_MS : pauseMs)
}
