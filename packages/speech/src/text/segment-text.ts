import { MAX_SENTENCE_UNITS, sentencesOf } from './sentences.ts'

/** A piece of text that is synthesized at once, and the pause after it. */
export interface TextSegment {
  text: string
  pauseMs: number
}

/** Pauses of engines that make none themselves. */
const PAUSE_MS = { sentence: 290, clause: 120, word: 0 } as const

/**
 * Cuts text into the segments that are synthesized one after the other. A segment is a sentence, because a cut within one
 * would be heard: engines end a text like a sentence. Only sentences of more than 400 UTF-16 units are cut, at clause
 * marks, else between words, else between characters. The segments contain the whole text except the white space around
 * them. Time and memory are linear in the text's length.
 */
export const segmentText = (text: string, language: string): TextSegment[] => [...segmentsOf(text, language)]

/** `segmentText`, one segment at a time. */
export function* segmentsOf(text: string, language: string): Generator<TextSegment> {
  for (const sentence of sentencesOf(text, language)) {
    const words = sentence.trim()
    if (words !== '') yield { text: words, pauseMs: PAUSE_MS[endOf(sentence, words)] }
  }
}

/** What a segment ends with. Shorter than half of the limit, it was not cut. */
function endOf(sentence: string, words: string): keyof typeof PAUSE_MS {
  if (sentence.length < MAX_SENTENCE_UNITS / 2 || /[.!?…।॥。！？؟۔]["'”’»)\]]*$/u.test(words))
    return 'sentence'
  if (/[,;:—–،؛、，；：]$/u.test(words)) return 'clause'
  return /[\n\r\u2028\u2029]\s*$/.test(sentence) ? 'sentence' : 'word'
}
