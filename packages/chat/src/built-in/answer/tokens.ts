import { decodeGenerator, encode } from 'gpt-tokenizer/encoding/o200k_base'

/**
 * Units of text without a change between spaces and words after which it is counted anew. The work for a word grows with the square
 * of its length.
 */
const MAX_WORD_UNITS = 512
const NOTHING_SPECIAL = { disallowedSpecial: new Set<string>() }

/** Cuts a text to the tokens of the encoding `o200k_base`, joined where a character takes several. */
export const piecesOf = (text: string): string[] =>
  partsOf(text).flatMap((part) => [...decodeGenerator(encode(part, NOTHING_SPECIAL))])

export const countTokens = (text: string): number =>
  partsOf(text).reduce((sum, part) => sum + encode(part, NOTHING_SPECIAL).length, 0)

/** Returns the beginning of a text that has at most this many tokens, and whether that is all of it. */
export function limitTokens(text: string, limit: number): { text: string; tokens: number; isWhole: boolean } {
  let tokens = 0
  let kept = ''
  for (const part of partsOf(text)) {
    const encoded = encode(part, NOTHING_SPECIAL)
    if (tokens + encoded.length > limit) {
      const pieces = [...decodeGenerator(encoded.slice(0, limit - tokens))]
      return { text: kept + pieces.join('').replace(/\uFFFD+$/, ''), tokens: limit, isWhole: false }
    }
    tokens += encoded.length
    kept += part
  }
  return { text, tokens, isWhole: true }
}

/** Cuts long words, and nothing else: the parts joined are the text. */
function partsOf(text: string): string[] {
  const parts: string[] = []
  let from = 0
  let wordAt = 0
  let wasSpace = false
  for (let at = 0; at < text.length; at++) {
    const isSpace = /\s/.test(text.charAt(at))
    if (isSpace !== wasSpace) wordAt = at
    wasSpace = isSpace
    // Not between the halves of a surrogate pair.
    if (at - wordAt >= MAX_WORD_UNITS && (text.charCodeAt(at) & 0xfc_00) !== 0xdc_00) {
      parts.push(text.slice(from, at))
      from = wordAt = at
    }
  }
  return [...parts, text.slice(from)].filter((part) => part !== '')
}
