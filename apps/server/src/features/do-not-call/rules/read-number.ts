import { type ImportProblem, isE164 } from '@vaani/contracts'

export type ReadNumber = { phoneNumber: string } | { problem: ImportProblem }

/** Spaces and signs that people, telephone books and spreadsheets write into numbers, and invisible marks of direction. */
const DECORATION = /[\s\p{Cf}()./\-‐‑‒–—−]/gu
const ZERO = { devanagari: 0x0966, fullWidth: 0xff10 }

const toAsciiDigit = (digit: string): string => {
  const code = digit.codePointAt(0) ?? 0
  return String(code - (code >= ZERO.fullWidth ? ZERO.fullWidth : ZERO.devanagari))
}

/**
 * Reads a number as people write it. One without a plus sign, which spreadsheets remove, must be assigned in the numbering plan of its
 * country: otherwise a number without a country code could pass for one of another country.
 */
export function readNumber(text: string): ReadNumber {
  const digits = text
    .replace(/^'/, '')
    .replace(/^tel:/i, '')
    .replaceAll(/[०-९０-９]/g, toAsciiDigit)
    .replace(/^＋/, '+')
  if (/^\+?\d+([.,]\d+)?e\+?\d+$/i.test(digits.trim())) return { problem: 'rounded_number' }
  const bare = digits.replaceAll(DECORATION, '').replace(/^00/, '+')
  if (bare === '') return { problem: 'no_number' }
  if (!/^\+?\d+$/.test(bare)) return { problem: 'invalid_number' }
  if (bare.startsWith('+')) return isE164(bare) ? { phoneNumber: bare } : { problem: 'invalid_number' }
  const restored = `+${bare}`
  return isE164(restored, { strict: true }) ? { phoneNumber: restored } : { problem: 'no_country_code' }
}
