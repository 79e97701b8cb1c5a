import type { TextWord } from '../ocr/layout.ts'
import { parseDate } from './parse-date.ts'
import { isAlike, lettersOf } from './rows.ts'
import type { TemplateField } from './template.ts'

const DEVANAGARI_ZERO = 0x0966
/** Returns a text with digits of Devanagari as 0 to 9. */
const withDigits = (text: string): string =>
  text.replaceAll(/[\u0966-\u096F]/g, (digit) => String((digit.codePointAt(0) ?? 0) - DEVANAGARI_ZERO))

type FieldOf<Kind extends TemplateField['kind']> = Extract<TemplateField, { kind: Kind }>

/** Reads the value of a field from its words. Returns null unless they are such a value, and nothing else. */
export function readValue(words: readonly TextWord[], field: TemplateField): string | null {
  if (words.length === 0) return null
  switch (field.kind) {
    case 'number':
      return readNumber(words, field)
    case 'name':
      return readName(words, field)
    case 'date':
      return readDate(words, field)
    case 'choice':
      return readChoice(words, field)
  }
}

const joined = (words: readonly TextWord[], separator: string): string =>
  words.map(({ text }) => text).join(separator)

function readNumber(words: readonly TextWord[], { pattern }: FieldOf<'number'>): string | null {
  const text = withDigits(joined(words, '').normalize('NFKC')).replaceAll(/\p{Pd}/gu, '-')
  return new RegExp(`^(?:${pattern})$`, 'u').test(text) ? text : null
}

function readName(words: readonly TextWord[], { script }: FieldOf<'name'>): string | null {
  const text = joined(words, ' ').normalize('NFC')
  const letter = String.raw`(?=[\p{L}\p{M}])\p{Script=${script}}`
  // Joiners are part of how some scripts are written.
  return new RegExp(String.raw`^(?:${letter})(?:${letter}|[ '’.\u200C\u200D-])*$`, 'u').test(text)
    ? text
    : null
}

function readDate(words: readonly TextWord[], field: FieldOf<'date'>): string | null {
  const printed = withDigits(joined(words, ' ').normalize('NFC')).match(/\d+|[\p{L}\p{M}]+/gu) ?? []
  const between = field.words.map(lettersOf)
  const parts = printed.filter((part) => !between.some((word) => isAlike(lettersOf(part), word)))
  return parseDate(parts, field)
}

function readChoice(words: readonly TextWord[], { values }: FieldOf<'choice'>): string | null {
  const letters = lettersOf(joined(words, ''))
  const found = Object.entries(values).filter(([, texts]) =>
    texts.some((text) => lettersOf(text) === letters),
  )
  return found.length === 1 ? (found[0]?.[0] ?? null) : null
}
