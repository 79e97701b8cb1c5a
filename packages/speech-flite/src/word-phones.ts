import { LRUCache } from 'lru-cache'
import { groupBySilence, type Segment } from './segments.ts'

/** Letters of the words that are remembered: some ten thousand words, which are most of what is ever said. */
const MOST_LETTERS = 60_000
/** Words that Flite says without a pause, and never leaves out, so that each stays apart from its neighbours. */
const PLAIN = /^[a-z]+(?:'[a-z]+)?$/i

/**
 * Returns a function that finds the phones of each word, said alone, and undefined if Flite pauses within one. A word without a sound has
 * none. Plain words are said once, because to say them takes half as long as the phrase does.
 *
 * @param say - says words with a pause after each, and returns all sounds
 */
export function createWordPhones(
  say: (words: readonly string[]) => readonly Segment[],
): (words: readonly string[]) => string[][] | undefined {
  const known = new LRUCache<string, string[]>({
    maxSize: MOST_LETTERS,
    sizeCalculation: (_, word) => word.length,
  })

  function find(words: readonly string[]): [string, string[]][] | undefined {
    if (words.length === 0) return []
    const groups = groupBySilence(say(words))
    if (groups.length !== words.length) return undefined
    return words.map((word, index) => [word, (groups[index] ?? []).map(({ phone }) => phone)])
  }
  return (words) => {
    const found = new Map(words.map((word) => [word, word === '' ? [] : known.get(word)]))
    const unknown = [...found.keys()].filter((word) => found.get(word) === undefined)
    const plain = find(unknown.filter((word) => PLAIN.test(word)))
    const others = find(unknown.filter((word) => !PLAIN.test(word)))
    for (const [word, phones] of plain ?? []) known.set(word, phones)
    if (plain === undefined || others === undefined) return undefined
    for (const [word, phones] of [...plain, ...others]) found.set(word, phones)
    return words.map((word) => found.get(word) ?? [])
  }
}
