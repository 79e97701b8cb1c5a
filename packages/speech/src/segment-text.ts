/** A piece of text that is spoken in one go, and the silence that follows it. */
export interface TextSegment {
  text: string
  pauseMs: number
}

/** A segment of this length is about 12 s of speech: it is made in some 40 ms, so no stream keeps an engine for long. */
const MAX_CHARACTERS = 200
/** The first segment is shorter, so that the first sound comes soon however many streams begin at once. */
const FIRST_MAX_CHARACTERS = 60
const FIRST_MIN_CHARACTERS = 6
const WORD_CUT_CHARACTERS = 32
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
  const segments = sentencesOf(text, language).flatMap((sentence, index) =>
    splitSentence(sentence, index === 0),
  )
  return segments.filter((segment) => segment.text !== '')
}

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

function splitSentence(sentence: string, isFirst: boolean): TextSegment[] {
  const segments: TextSegment[] = []
  let rest = sentence
  let limit = isFirst ? FIRST_MAX_CHARACTERS : MAX_CHARACTERS
  while (rest.length > limit) {
    const cut = findCut(rest, limit)
    segments.push({ text: rest.slice(0, cut.at).trim(), pauseMs: PAUSE_MS[cut.kind] })
    rest = rest.slice(cut.at).trimStart()
    limit = MAX_CHARACTERS
  }
  segments.push({ text: rest, pauseMs: PAUSE_MS.sentence })
  return segments
}

function findCut(text: string, limit: number): { at: number; kind: keyof typeof PAUSE_MS } {
  const clauses = [...text.matchAll(CLAUSE_MARK)].map((match) => match.index + match[0].length)
  const inReach = clauses.filter((at) => at >= FIRST_MIN_CHARACTERS && at <= limit)
  // The first sound should come soon; later on, long segments sound better.
  const clause = limit === FIRST_MAX_CHARACTERS ? inReach[0] : inReach.at(-1)
  if (clause !== undefined) return { at: clause, kind: 'clause' }
  const wordLimit = limit === FIRST_MAX_CHARACTERS ? WORD_CUT_CHARACTERS : limit
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
