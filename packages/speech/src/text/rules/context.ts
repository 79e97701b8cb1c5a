/** Text before a match that its meaning or its inflection may depend on. */
export const textBefore = ({ input, index }: RegExpExecArray, units = 40): string =>
  input.slice(Math.max(0, index - units), index)

/** Text after a match that its meaning may depend on. */
export const textAfter = ({ 0: written, index, input }: RegExpExecArray, units = 16): string =>
  input.slice(index + written.length, index + written.length + units)

/** The text after a full stop of an abbreviation that ends the sentence, too. */
export const ENDS_SENTENCE = /^["'”’)\]]*(?:\s+["'“‘(]*\p{Lu}|\s*$)/u

/** The last full stop of a match if it ends the sentence, too; otherwise nothing. */
export const stopAfter = (match: RegExpExecArray): string =>
  match[0].endsWith('.') && ENDS_SENTENCE.test(textAfter(match)) ? '.' : ''
