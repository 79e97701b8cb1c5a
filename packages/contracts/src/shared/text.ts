import { z } from 'zod'

/** Whether text can be kept and sent on as it is: Postgres refuses U+0000, and UTF-8 has no form of a lone surrogate. */
export const isSafeText = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** Every string that a request may hold, unless its own rule allows less. */
export const textSchema = z
  .string()
  .refine(isSafeText, { error: 'must be well-formed Unicode without U+0000' })

/** Text of one line, as names are. */
export const lineSchema = textSchema.regex(/^[^\p{Cc}]*$/u, 'must have no control characters')
