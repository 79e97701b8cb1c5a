import { segmentsOf } from './segment-text.ts'
import type { Lexicon } from './lexicon.ts'
import { sentencesOf } from './sentences.ts'
import { asWritten } from './spoken-text.ts'
import { speakSentence } from './to-spoken-text.ts'

/** A piece of a text that is synthesized at once. */
export interface SpokenSegment {
  /** The words as they are spoken. */
  text: string
  /** Pause after it, at a rate of 1; 0 after the last one. */
  pauseMs: number
}

/**
 * Yields the segments of a text as they are spoken. One at a time, so that the first sound does not wait for the rules to read
 * the whole text.
 *
 * @param language tag of one of the engine's languages
 */
export function* spokenSegments(
  text: string,
  language: string,
  lexicon?: Lexicon,
): Generator<SpokenSegment, void, undefined> {
  const options = { language, ...(lexicon !== undefined && { lexicon }) }
  let previous: SpokenSegment | undefined
  for (const sentence of sentencesOf(text, language))
    for (const segment of segmentsOf(speakSentence(asWritten(sentence), options).text, language)) {
      if (previous !== undefined) yield previous
      previous = segment
    }
  if (previous !== undefined) yield { ...previous, pauseMs: 0 }
}
