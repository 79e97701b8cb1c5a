/** A letter, and where its middle is, as a share of its line's length. */
export interface Letter {
  readonly text: string
  /** 0 to 1. */
  readonly confidence: number
  readonly at: number
}

/** What the classes of a model stand for. The first is the blank of CTC. */
export interface Alphabet {
  readonly letters: readonly string[]
  /** The classes that may be read. */
  readonly classes: Int32Array
}

/** The model knows thousands of other letters, mostly Chinese, and takes patterns of the background for them. */
const LATIN = /^[\p{Script=Latin} -~£¥€§°±·×÷®]$/u
const BLANK = 0

/**
 * Reads the dictionary of a model.
 *
 * @param dictionary one letter a line, for the classes after the blank; the last class is the space
 */
export function parseAlphabet(dictionary: string): Alphabet {
  const letters = ['', ...dictionary.trim().split(/\r?\n/), ' ']
  const classes = letters.flatMap((letter, index) => (index === BLANK || LATIN.test(letter) ? [index] : []))
  return { letters, classes: Int32Array.from(classes) }
}

/**
 * Decodes the output of a model that was trained by connectionist temporal classification (Graves et al., 2006): the likeliest letter of
 * each step, once for equal ones in a row, without blanks.
 *
 * @param scores probabilities of each class, step by step
 */
export function decodeLetters(scores: Float32Array, { letters, classes }: Alphabet): Letter[] {
  const steps = Math.floor(scores.length / letters.length)
  const read: { index: number; confidence: number; first: number; last: number }[] = []
  let before = BLANK
  for (let step = 0; step < steps; step++) {
    let [best, confidence] = [BLANK, 0]
    for (const index of classes) {
      const score = scores[step * letters.length + index] ?? 0
      if (score > confidence) [best, confidence] = [index, score]
    }
    const last = read.at(-1)
    if (best !== BLANK && best === before && last !== undefined) {
      last.last = step
      last.confidence = Math.max(last.confidence, confidence)
    } else if (best !== BLANK) read.push({ index: best, confidence, first: step, last: step })
    before = best
  }
  return read.map(({ index, confidence, first, last }) => ({
    text: letters[index] ?? '',
    confidence,
    at: (first + last + 1) / 2 / steps,
  }))
}
