/** A piece of text that is spoken in one go, and the silence that follows it. */
export interface TextSegment {
  text: string
  pauseMs: number
}

/**
 * How long the first, the second and all further segments may be. The first is short, so that the first sound comes
 * soon however many streams begin at once; 200 characters are about 12 s of speech, made in some 40 ms, so that no
 * stream keeps an engine for long.
 */
const MAX_CHARACTERS = [40, 80, 200] as const
/** Where the first segment has no clause mark in reach, it ends after a word before this. */
const FIRST_WORD_CUT_CHARACTERS = 28
const FIRST_MIN_CHARACTERS = 12
const PAUSE_MS = { sentence: 290, clause: 120, word: 0 } as const

const CLAUSE_MARK = /[,;:—–،؛、，；：](?=\s|$)|[、，；：]/gu
const ABBREVIATIONS = new Set(
  'dr mr mrs ms prof st sr jr vs etc no vol fig approx dept est gov gen col sgt rev hon inc ltd co corp bzw usw sra srta dña mme mlle cf'.split(
    ' ',
  ),
)

/**
 * Cuts text into segments at the ends of sentences, else at clause marks, else between words, never within a character
 * as it is seen. The segments hold all of the text but white space around them.
 */
export function segmentText(text: string, language: string): TextSegment[] {
  const segments: TextSegment[] = []
  for (const sentence of sentencesOf(text, language))
    segments.push(...splitSentence(sentence, segments.length))
  return segments
}

const maxOf = (index: number): number => MAX_CHARACTERS[Math.min(index, MAX_CHARACTERS.length - 1)] ?? 0

function sentencesOf(text: string, language: string): string[] {
  const sentences: string[] = []
  for (const { segment } of new Intl.Segmenter(language, { granularity: 'sentence' }).segment(text)) {
    const last = sentences.at(-1)
    if (last !== undefined && endsInAbbreviation(last)) sentences[sentences.length - 1] = last + segment
    else sentences.push(segment)
  }
  return sentences.map((sentence) => sentence.trim()).filter((sentence) => sentence !== '')
}

/** `Dr. Smith` is no two sentences, nor is `J. Smith`. */
function endsInAbbreviation(sentence: string): boolean {
  const word = /(\p{L}+)\.\s*$/u.exec(sentence)?.[1]
  return word !== undefined && (ABBREVIATIONS.has(word.toLowerCase()) || /^\p{Lu}$/u.test(word))
}

/** Splits a sentence, whose first segment will be the one at `index` of the text. */
function splitSentence(sentence: string, index: number): TextSegment[] {
  const segments: TextSegment[] = []
  let rest = sentence
  while (rest.length > maxOf(index + segments.length)) {
    const cut = findCut(rest, index + segments.length)
    segments.push({ text: rest.slice(0, cut.at).trim(), pauseMs: PAUSE_MS[cut.kind] })
    rest = rest.slice(cut.at).trimStart()
  }
  if (rest !== '') segments.push({ text: rest, pauseMs: PAUSE_MS.sentence })
  return segments
}

function findCut(text: string, index: number): { at: number; kind: keyof typeof PAUSE_MS } {
  const isFirst = index === 0
  const limit = maxOf(index)
  const clauses = [...text.matchAll(CLAUSE_MARK)]
    .map((match) => match.index + match[0].length)
    .filter((at) => at >= FIRST_MIN_CHARACTERS && at <= limit)
  // The first sound should come soon; later on, long segments sound better.
  const clause = isFirst ? clauses[0] : clauses.at(-1)
  if (clause !== undefined) return { at: clause, kind: 'clause' }
  const wordLimit = isFirst ? FIRST_WORD_CUT_CHARACTERS : limit
  const space = text.slice(0, wordLimit + 1).search(/\s\S*$/u)
  return { at: space > 0 ? space : graphemeCut(text, wordLimit), kind: 'word' }
}

function graphemeCut(text: string, limit: number): number {
  let end = 0
  for (const { index, segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)) {
    if (index > 0 && index + segment.length > limit) break
    end = index + segment.length
  }
  return end
}
