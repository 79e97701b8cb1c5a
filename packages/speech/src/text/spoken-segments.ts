import { segmentsOf } from './segment-text.ts'
import { speakSentence, type SpokenTextOptions } from './to-spoken-text.ts'
import { writtenSentencesOf } from './written-sentences.ts'

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
 * @param options `language` is the tag of one of the engine's languages
 */
export function* spokenSegments(
  text: string,
  options: SpokenTextOptions,
): Generator<SpokenSegment, void, undefined> {
  const { language, markup = 'keep' } = options
  let previous: SpokenSegment | undefined
  for (const sentence of writtenSentencesOf(text, { language, markup }))
    for (const segment of segmentsOf(speakSentence(sentence, options).text, language)) {
      if (previous !== undefined) yield previous
      previous = segment
    }
  if (previous !== undefined) yield { ...previous, pauseMs: 0 }
}
