import type { Spoken } from './signals.ts'

export interface VoiceScore {
  /** Share of the time within words that is detected as voice. */
  hitRate: number
  /** Share of the time outside words detected as voice, not counting 30 ms before and 260 ms after each word. */
  falseAlarmRate: number
}

/** Scores the events of a detector in steps of 10 ms, from half a second on. */
export function scoreVoice(
  events: readonly { kind: 'start' | 'end'; atMs: number }[],
  words: Spoken['words'],
  durationMs: number,
): VoiceScore {
  const hops = Math.floor(durationMs / 10)
  const mark = (stretches: Spoken['words'], beforeMs: number, afterMs: number) => {
    const marks = new Uint8Array(hops)
    for (const { startMs, endMs } of stretches)
      marks.fill(1, Math.max(0, Math.round((startMs - beforeMs) / 10)), Math.round((endMs + afterMs) / 10))
    return marks
  }
  const voices = events
    .filter(({ kind }) => kind === 'start')
    .map(({ atMs }) => ({
      startMs: atMs,
      endMs: events.find((event) => event.kind === 'end' && event.atMs > atMs)?.atMs ?? durationMs,
    }))
  const voice = mark(voices, 0, 0)
  const word = mark(words, 0, 0)
  const free = mark(words, 30, 260)
  const counts = { word: 0, hit: 0, pause: 0, falseAlarm: 0 }
  for (let hop = 50; hop < hops; hop++) {
    if (word[hop] === 1) {
      counts.word++
      counts.hit += voice[hop] ?? 0
    } else if (free[hop] === 0) {
      counts.pause++
      counts.falseAlarm += voice[hop] ?? 0
    }
  }
  return { hitRate: counts.hit / counts.word, falseAlarmRate: counts.falseAlarm / counts.pause }
}
