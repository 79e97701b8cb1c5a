import type { VoiceEvent } from '@vaani/pcm-audio'
import { scoreVoice } from '@vaani/signals'
import type { Stretch } from './stream.ts'

/** An event, and how much of the stream the detector had heard when it reported it. */
export interface Reported extends VoiceEvent {
  reportedMs: number
}

export interface Score {
  hitRate: number
  falseAlarmRate: number
  /** From the start of a phrase to the report of a voice, in ms, if no voice was in progress before. */
  onsetsMs: number[]
}

/** A phrase begins after a longer gap between words. */
const PHRASE_GAP_MS = 500
/** A report so much earlier or later is about something else. */
const EARLY_MS = 100
const LATE_MS = 1000

/** Scores what a detector reported of a stream. */
export function score(events: readonly Reported[], words: readonly Stretch[], durationMs: number): Score {
  const starts = words.flatMap(({ startMs }, index) =>
    startMs - (words[index - 1]?.endMs ?? 0) > PHRASE_GAP_MS ? [startMs] : [],
  )
  const onsetsMs = starts.flatMap((startMs) => {
    const report = events.find(
      ({ kind, reportedMs }) =>
        kind === 'start' && reportedMs > startMs - EARLY_MS && reportedMs < startMs + LATE_MS,
    )
    const before = events.findLast(({ reportedMs }) => reportedMs <= startMs - EARLY_MS)
    return report === undefined || before?.kind === 'start' ? [] : [report.reportedMs - startMs]
  })
  return { ...scoreVoice(events, [...words], durationMs), onsetsMs }
}
