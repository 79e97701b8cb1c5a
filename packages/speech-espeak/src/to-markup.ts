import { speakableText } from '@vaani/speech'

/** Unassigned code points that the engine uses internally, for a stressed word and for a pause. */
const OWN_MARKS = /[\u0530\u0557]/g

/**
 * Converts text to markup that contains only words, because the engine always parses markup. Escapes `&` first, so that
 * it does not escape its own escapes.
 */
/** Between kanji, which the engine cannot read, and kana, which it spells letter by letter in the same word. */
const KANJI_EDGE =
  /(?<=\p{sc=Han})(?=[\p{sc=Hira}\p{sc=Kana}])|(?<=[\p{sc=Hira}\p{sc=Kana}ー])(?=\p{sc=Han})/gu

/** Keeps the kana of a Japanese text readable. */
export const separateKana = (text: string): string => text.replace(KANJI_EDGE, ' ')

/** Ends of texts at which the engine pauses by itself. */
const PAUSING = /[.!?…,;:—–।॥。！？、，；：؟،؛۔]["'”’»)\]]*$/u

/**
 * Converts a text that goes on to markup. The engine ends a text without a pause, so a silent clause follows it, before
 * which the engine pauses as it would before the rest. A line without punctuation ends like a paragraph.
 */
export const toContinuedMarkup = (text: string): string => {
  const markup = toMarkup(text)
  return `${markup}${PAUSING.test(markup) ? ' ' : '\n\n'}.`
}

export const toMarkup = (text: string): string =>
  speakableText(text).replace(OWN_MARKS, ' ').replaceAll('&', '&amp;').replaceAll('<', '&lt;')
