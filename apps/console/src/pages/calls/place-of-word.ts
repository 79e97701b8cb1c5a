import type { CallTranscript } from '@vaani/client'

export type Turn = CallTranscript['turns'][number]

/** Returns the word of a turn that is said at a place of the recording, by its number; -1 between turns. */
export function wordAt({ words, end_ms }: Turn, atMs: number): number {
  return atMs < end_ms ? words.findLastIndex(({ start_ms }) => start_ms <= atMs) : -1
}
