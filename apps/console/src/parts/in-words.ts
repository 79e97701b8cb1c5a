import type { ReactNode } from 'react'
import { t } from '../text/text.ts'

/** Returns what stands in a cell: a number as the language writes it, and anything else as it is. */
export const inWords = (value: ReactNode): ReactNode =>
  typeof value === 'number' ? t.formats.number(value) : value
