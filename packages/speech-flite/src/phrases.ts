import type { Word } from './words.ts'

/** Words that are synthesized at once, because a cut within a clause would be heard. */
export type Phrase = readonly [Word, ...Word[]]

/** The first phrase ends at the first clause that has as many characters, so that its sound comes early. */
const SHORTEST_FIRST = 5
/** Later phrases have several clauses, which sound better together. */
const SHORTEST = 60
/** Five to ten seconds of speech, which take a twentieth of a second. */
const LONGEST = 140

/** Groups words into phrases. */
export function phrasesOf(words: readonly Word[]): Phrase[] {
  const phrases: [Word, ...Word[]][] = []
  let length = 0
  let isOpen = false
  for (const word of words) {
    const phrase = phrases.at(-1)
    if (isOpen && phrase !== undefined && length + word.spoken.length <= LONGEST) phrase.push(word)
    else {
      phrases.push([word])
      length = 0
    }
    length += word.spoken.length + 1
    // A dot may end an abbreviation, and a text of many sentences is seldom asked for at once.
    isOpen = word.pause !== 'clause' || length < (phrases.length === 1 ? SHORTEST_FIRST : SHORTEST)
  }
  return phrases
}
