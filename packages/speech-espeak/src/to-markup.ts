import { speakableText } from '@vaani/speech'

/** Unassigned, so the engine uses them inside: for a stressed word, and for a pause. */
const OWN_MARKS = /[\u0530\u0557]/g

/** A text as the markup that the engine always reads, with nothing in it but words: the ampersand is escaped first. */
export const toMarkup = (text: string): string =>
  speakableText(text).replace(OWN_MARKS, ' ').replaceAll('&', '&amp;').replaceAll('<', '&lt;')
