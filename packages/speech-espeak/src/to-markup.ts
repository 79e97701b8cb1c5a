import { speakableText } from '@vaani/speech'

/** Unassigned code points that the engine uses internally, for a stressed word and for a pause. */
const OWN_MARKS = /[\u0530\u0557]/g

/**
 * Converts text to markup that contains only words, because the engine always parses markup. Escapes `&` first, so that
 * it does not escape its own escapes.
 */
export const toMarkup = (text: string): string =>
  speakableText(text).replace(OWN_MARKS, ' ').replaceAll('&', '&amp;').replaceAll('<', '&lt;')
