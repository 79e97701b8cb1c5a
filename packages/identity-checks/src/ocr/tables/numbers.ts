import type { TextWord } from '../layout.ts'

const joined = (words: readonly Pick<TextWord, 'text'>[]): string => words.map(({ text }) => text).join('')

/** Whether at least half of letters and digits are digits. */
export function isNumber(words: readonly Pick<TextWord, 'text'>[]): boolean {
  const text = joined(words)
  const digits = text.replaceAll(/\P{N}/gu, '').length
  return digits > 0 && digits >= text.replaceAll(/[^\p{L}\p{N}]/gu, '').length / 2
}

/** Whether words are a number, or in the place of one, such as a dash or N. */
export const isValue = (words: readonly Pick<TextWord, 'text'>[]): boolean =>
  isNumber(words) || !/[\p{L}\p{M}]{2}/u.test(joined(words))
