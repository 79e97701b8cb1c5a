import type { CallEndedBy, CallTurn } from '@vaani/contracts'
import type { LiveSpeechEvent } from '@vaani/speech'
import type { PlayedStretch } from '@vaani/telephony'

export type SpeechMark = Pick<Extract<LiveSpeechEvent, { type: 'mark' }>, 'kind' | 'text' | 'atMs'>

/** What the agent was given to say, as far as its speech was made. */
export interface AgentSpeech {
  language: string
  /** Where phrases and words begin in the frames that were sent. */
  marks: SpeechMark[]
  /** Of all frames; null while more are to come. */
  durationMs: number | null
}

interface Word {
  text: string
  atMs: number
}

/** Finds which words of the agent were heard, and when, by the frames that were played. A word is heard if its first frame was. */
export function heardTurns(options: {
  speech: AgentSpeech
  played: readonly PlayedStretch[]
  endedBy: CallEndedBy
}): CallTurn[] {
  const { speech, played, endedBy } = options
  const [first, last] = [played[0], played.at(-1)]
  if (first === undefined || last === undefined) return []
  const end_ms = last.heardAtMs + last.durationMs
  const isWhole = last.sentAtMs + last.durationMs === speech.durationMs
  const words = wordsOf(speech.marks).flatMap(({ text, atMs }) => {
    const start_ms = whenHeard(atMs, played) ?? (isWhole ? end_ms : undefined)
    return start_ms === undefined ? [] : [{ text, start_ms }]
  })
  const lastWord = words.at(-1)
  if (lastWord === undefined) return []
  lastWord.text = lastWord.text.trimEnd()
  return [
    {
      speaker: 'agent',
      language: speech.language,
      text: words.map(({ text }) => text).join(''),
      start_ms: first.heardAtMs,
      end_ms,
      words,
      ...(!isWhole && { cut_by: endedBy }),
    },
  ]
}

function whenHeard(sentAtMs: number, played: readonly PlayedStretch[]): number | undefined {
  const stretch = played.find(
    ({ sentAtMs: from, durationMs }) => from <= sentAtMs && sentAtMs < from + durationMs,
  )
  return stretch && stretch.heardAtMs + sentAtMs - stretch.sentAtMs
}

/** Cuts the text at its words. A phrase in which no word is marked stays whole. */
function wordsOf(marks: readonly SpeechMark[]): Word[] {
  const phrases: (Word & { words: Word[] })[] = []
  for (const { kind, text, atMs } of marks)
    if (kind === 'phrase') phrases.push({ text, atMs, words: [] })
    else phrases.at(-1)?.words.push({ text, atMs })
  return phrases.flatMap(({ words, ...phrase }) =>
    words.length === 0 ? [{ ...phrase, text: `${phrase.text} ` }] : cutAtWords(`${phrase.text} `, words),
  )
}

/** Gives each word what stands between it and the next one, and the first one what stands before it. */
function cutAtWords(text: string, words: readonly Word[]): Word[] {
  let at = 0
  const starts = words.map((word, index) => {
    const start = Math.max(at, text.indexOf(word.text, at))
    at = start + word.text.length
    return index === 0 ? 0 : start
  })
  return words.map(({ atMs }, index) => ({ text: text.slice(starts[index], starts[index + 1]), atMs }))
}
