import { createWrittenSentenceReader } from './written-sentences.ts'
import { joinSpoken, type SpokenText } from './spoken-text.ts'
import { speakSentence, type SpokenTextOptions } from './to-spoken-text.ts'

/** Speaks a text that arrives in pieces. */
export interface SpokenTextStream {
  /**
   * Takes a piece, which may end in the middle of a number or a word, and returns the sentences that are complete. A
   * sentence is complete when the first word of the next one has arrived. Offsets refer to the whole text.
   */
  push(piece: string): SpokenText
  /** Returns what is left, as if the text ended here. The text may go on, with a new sentence. */
  flush(): SpokenText
}

/**
 * Speaks a text that arrives in pieces, such as that of a language model. The results together are those of
 * `toSpokenText` for the whole, wherever the pieces end. Keeps at most one sentence, of 400 UTF-16 units, and of
 * markup the line or the link that it may be, of some 2,000.
 *
 * @example
 * const stream = createSpokenTextStream({ language: 'en-US' })
 * stream.push('It costs $12').text // ''
 * stream.push('.50. Do you').text // 'It costs 12 dollars and 50 cents. '
 * stream.flush().text // 'Do you'
 */
export function createSpokenTextStream(options: SpokenTextOptions): SpokenTextStream {
  const { language, markup = 'keep' } = options
  const reader = createWrittenSentenceReader({ language, markup })
  const speak = (sentences: readonly SpokenText[]): SpokenText =>
    joinSpoken(sentences.map((sentence) => speakSentence(sentence, options)))
  return { push: (piece) => speak(reader.push(piece)), flush: () => speak(reader.flush()) }
}
