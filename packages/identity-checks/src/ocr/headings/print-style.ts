import type { TextWord } from '../layout.ts'

/** How a word is printed. */
export interface PrintStyle {
  /** Of the font, in pixels; comparable within a page. */
  readonly size: number
  readonly isBold: boolean
}

/** Returns undefined for a word of which nothing is known. */
export type StyleOf = (word: TextWord) => PrintStyle | undefined
