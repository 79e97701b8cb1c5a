/** A page of a document, in their order. */
export interface PageState {
  readonly number: number
  /** Size of its result; null until it has ended. */
  readonly bytes: number | null
}

/**
 * Returns the last page to send: up to the first that has not ended, and no more than fit. One fits always.
 *
 * @returns `upTo` 0 if none has ended; `hasMore` whether further ones have ended without a gap
 */
export function readyPages(
  pages: readonly PageState[],
  maxBytes: number,
): { upTo: number; hasMore: boolean } {
  let upTo = 0
  let total = 0
  for (const { number, bytes } of pages) {
    if (bytes === null) break
    total += bytes
    if (upTo > 0 && total > maxBytes) return { upTo, hasMore: true }
    upTo = number
  }
  return { upTo, hasMore: false }
}
