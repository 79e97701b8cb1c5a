import { createMarkupReader, type Markup } from './markup/markup-reader.ts'
import { createSentenceReader, sentencesOf } from './sentences.ts'
import type { SpokenText } from './spoken-text.ts'

/** What a text is written in. */
export interface WrittenIn {
  /** BCP-47. */
  language: string
  markup: Markup
}

/** Cuts a text into its sentences without their markup, each with the white space after it and its place in the text. */
export function* writtenSentencesOf(text: string, { language, markup }: WrittenIn): Generator<SpokenText> {
  const reader = createMarkupReader(markup)
  const shelf = createShelf()
  const written = [reader.push(text), reader.flush()]
  for (const part of written) shelf.add(part)
  for (const sentence of sentencesOf(written.map((part) => part.text).join(''), language))
    yield shelf.take(sentence)
}

/** Yields the sentences of a text that arrives in pieces: the same as of the whole, whatever the pieces. */
export interface WrittenSentenceReader {
  /** Returns the sentences that no further text can change. */
  push(piece: string): SpokenText[]
  /** Returns what is left. The next piece starts a new line. */
  flush(): SpokenText[]
  /** Returns how many UTF-16 units wait for what follows them. */
  heldUnits(): number
}

export function createWrittenSentenceReader({ language, markup }: WrittenIn): WrittenSentenceReader {
  const reader = createMarkupReader(markup)
  const sentences = createSentenceReader(language)
  const shelf = createShelf()
  const read = (part: SpokenText): SpokenText[] => {
    shelf.add(part)
    return sentences.push(part.text).map(shelf.take)
  }
  return {
    push: (piece) => read(reader.push(piece)),
    flush: () => [...read(reader.flush()), ...sentences.flush().map(shelf.take)],
    heldUnits: () => reader.heldUnits() + shelf.units(),
  }
}

/** Keeps the places of text until its sentences are known. */
function createShelf() {
  let starts: readonly number[] = []
  let ends: readonly number[] = []
  let taken = 0
  return {
    add(part: SpokenText) {
      starts = [...starts.slice(taken), ...part.starts]
      ends = [...ends.slice(taken), ...part.ends]
      taken = 0
    },
    take(sentence: string): SpokenText {
      const from = taken
      taken += sentence.length
      return { text: sentence, starts: starts.slice(from, taken), ends: ends.slice(from, taken) }
    },
    units: () => starts.length - taken,
  }
}
