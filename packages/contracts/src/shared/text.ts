import { z } from 'zod'

/** Whether text can be stored and sent unchanged: Postgres rejects U+0000, and UTF-8 cannot encode a lone surrogate. */
export const isSafeText = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** Schema of every string in a request, unless the string has a stricter one. */
export const textSchema = z
  .string()
  .refine(isSafeText, { error: 'must be well-formed Unicode without U+0000' })

/** A single line of text, such as a name. */
export const lineSchema = textSchema.regex(/^[^\p{Cc}]*$/u, 'must have no control characters')
