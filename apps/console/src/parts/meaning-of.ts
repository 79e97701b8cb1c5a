import type { Meaning } from '../text/en-requests.ts'
import { t } from '../text/text.ts'

const isKnown = (code: string): code is keyof typeof t.requests.codes => Object.hasOwn(t.requests.codes, code)

/** Why requests are refused with an error code, and what helps; null for a code of a later server. */
export const meaningOf = (code: string): Meaning | null => (isKnown(code) ? t.requests.codes[code] : null)
