/** What a test reads of the talking page. */
export interface Talk {
  /** Marks and replies, in order. */
  heard: { type: string; text?: string; at_ms?: number }[]
  /** Audio played and not yet played, in milliseconds. */
  played(): { playedMs: number; bufferedMs: number }
}

declare global {
  var talk: Talk | undefined
}
