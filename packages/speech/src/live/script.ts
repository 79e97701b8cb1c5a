import type { Emotion } from '../emotions.ts'
import { segmentsOf } from '../text/segment-text.ts'
import type { Lexicon } from '../text/lexicon.ts'
import type { Markup } from '../text/markup/markup-reader.ts'
import { asWritten, originalRange, type SpokenText } from '../text/spoken-text.ts'
import { speakSentence } from '../text/to-spoken-text.ts'
import { createWrittenSentenceReader } from '../text/written-sentences.ts'

/** How a phrase is spoken. */
export interface Manner {
  emotion: Emotion
  /** Rate of speech, 0.5 to 2. */
  speed: number
}

/** What a speaker asks of live speech. */
export type LiveMessage =
  | ({ type: 'speak'; text: string } & Partial<Manner>)
  | { type: 'emotion'; emotion: Emotion }
  | { type: 'flush' }
  | { type: 'cancel' }
  | { type: 'end' }

export interface PhraseSegment {
  /** The words as they are spoken. */
  text: string
  /** Pause after it, at a rate of 1. */
  pauseMs: number
  /** Finds the stretch of the written phrase that a stretch of the text came from. */
  written(range: { start: number; end: number }): { start: number; end: number }
}

/** A sentence, or what was left of one at a flush. */
export interface Phrase extends Manner {
  type: 'phrase'
  /** As it was written, with the white space around it and without markup. */
  text: string
  /** Computed when it is spoken, because a message may contain many phrases. */
  segments: () => readonly PhraseSegment[]
}

export type LiveStep = Phrase | { type: 'flush' } | { type: 'cancel' } | { type: 'end' }

/** Turns what a speaker asks into the steps that a voice takes, in their order. */
export interface Script {
  hear(message: LiveMessage): LiveStep[]
  /** Returns the UTF-16 units of the incomplete phrase, and of markup that may become one. */
  waitingUnits(): number
}

/**
 * Creates a script. The phrases of a text are the same however it is cut into pieces: those of the whole. Each is spoken in
 * the manner of its first character, so a change of emotion takes effect at the next phrase.
 *
 * A phrase ends with the pause of a sentence, even at a flush, so that what follows does not run into it. Only the end has
 * none.
 */
export function createScript({
  language,
  lexicon,
  markup,
  ...initial
}: Manner & { language: string; lexicon?: Lexicon; markup: Markup }): Script {
  const options = { language, ...(lexicon !== undefined && { lexicon }) }
  const openReader = () => createWrittenSentenceReader({ language, markup })
  let reader = openReader()
  /** Manner of text to come, unless its message has its own. */
  let manner: Manner = initial
  /** Manners of the incomplete phrase from a unit of what the reader heard on, in order. */
  let manners: { from: number; manner: Manner }[] = []
  let heard = 0

  function hearText(text: string, own: Manner): SpokenText[] {
    const last = manners.at(-1)?.manner
    if (last?.emotion !== own.emotion || last.speed !== own.speed) manners.push({ from: heard, manner: own })
    heard += text.length
    return reader.push(text)
  }

  function toPhrase({ text, starts }: SpokenText, isLast: boolean): Phrase {
    const first = starts[text.length - text.trimStart().length] ?? 0
    while (manners[1] !== undefined && manners[1].from <= first) manners.shift()
    const own = manners[0]?.manner ?? manner
    return { type: 'phrase', text, ...own, segments: () => segmentsOfSentence(text, isLast) }
  }

  function segmentsOfSentence(sentence: string, isLast: boolean): PhraseSegment[] {
    const spoken = speakSentence(asWritten(sentence), options)
    let at = 0
    return [...segmentsOf(spoken.text, language)].map(({ text, pauseMs }, index, { length }) => {
      const start = spoken.text.indexOf(text, at)
      at = start + text.length
      return {
        text,
        pauseMs: isLast && index === length - 1 ? 0 : pauseMs,
        written: (range) => originalRange(spoken, { start: start + range.start, end: start + range.end }),
      }
    })
  }

  const toPhrases = (sentences: readonly SpokenText[], isEnd = false): Phrase[] =>
    sentences
      .filter(({ text }) => text.trim() !== '')
      .map((sentence, index, { length }) => toPhrase(sentence, isEnd && index === length - 1))

  return {
    hear(message) {
      switch (message.type) {
        case 'speak': {
          const { text, emotion = manner.emotion, speed = manner.speed } = message
          return toPhrases(hearText(text, { emotion, speed }))
        }
        case 'emotion':
          manner = { ...manner, emotion: message.emotion }
          return []
        case 'flush':
          return [...toPhrases(reader.flush()), message]
        case 'cancel':
          reader = openReader()
          manners = []
          heard = 0
          return [message]
        case 'end':
          return [...toPhrases(reader.flush(), true), message]
      }
    },
    waitingUnits: () => reader.heldUnits(),
  }
}
