/** Longer texts are paragraphs. */
const MAX_WORDS = 25
const MAX_LENGTH = 160
/** Fewer letters are a page number, a bullet or a part of a formula. */
const MIN_LETTERS = 3
/** Share of letters among what is no white space. Amounts, dates, formulas and code have less. */
const LETTERS = 0.6
/** Captions, in some languages. */
const CAPTION =
  /^(?:abb(?:ildung)?|algorithm|chart|exhibit|fig(?:ur[ae]?)?|gambar|listing|source|tab(?:el|elle|la|le|leau)?)\b\.?\s*[\d:.(–-]/iu
/** How no heading begins: in lower case, or as an item of a list. */
const NO_START = /^(?:\p{Ll}\p{Ll}|[•●▪■◦*–—-])/u
/** How no heading ends. Labels of forms end with a colon. */
const NO_END = /[.,;:]$/u
/** Names and calls of functions, and addresses. */
const CODE = /_|\p{L}\(|[{}=<>@]|https?:|www\./u
/** The end of a sentence and the start of the next. */
const SENTENCES = /\p{Ll}{4}[.!?]\s+\p{Lu}/u
/** What leads to the number of a page in a table of contents; some PDFs have a zero-width space for a tab. */
const LEADER = /(?:\.\s?){3,}|…|\u200b\S*\d$/u
/** Chapters and their parts are numbered like this; items of lists and fields of forms are not. */
const CHAPTER_NUMBER = /^\d+(?:\.\d+)+\.?[\s\u200b]+\p{Lu}/u
const NUMBERED_CAPITALS = /^(?:[IVX]+|\d+)[.)]?\s+[^\p{Ll}]*\p{Lu}{4}[^\p{Ll}]*$/u
/** The number of a heading, such as `2.3.1`, `IV.` or `A)`. */
const NUMBER = /^(?:\d+(?:\.\d+)*|[IVXLC]+|\p{Lu})[.)]?[\s\u200b]+(?=\S)/u

/** Whether a text begins with a number such as `2.3`. */
export const hasChapterNumber = (text: string): boolean => CHAPTER_NUMBER.test(text)

/** Whether a text is a number and capitals, as in `IV. RESULTS`. */
export const isNumberedCapitals = (text: string): boolean =>
  text.length <= MAX_LENGTH && NUMBERED_CAPITALS.test(text)

/** Whether a text reads like a heading. */
export function readsLikeHeading(text: string): boolean {
  if (text.length > MAX_LENGTH || text.split(/\s+/u).length > MAX_WORDS) return false
  const solid = text.replace(NUMBER, '').replaceAll(/\s/gu, '')
  const letters = solid.match(/[\p{L}\p{M}]/gu)?.length ?? 0
  if (letters < MIN_LETTERS || letters < solid.length * LETTERS) return false
  if (NO_END.test(text) && !(text.endsWith('.') && hasChapterNumber(text))) return false
  return ![CAPTION, NO_START, CODE, SENTENCES, LEADER].some((pattern) => pattern.test(text))
}
