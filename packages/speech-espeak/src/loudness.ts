/** The voices of the columns below. */
const COLUMNS = ['nova', 'atlas', 'default', 'alt1', 'alt2']

/**
 * Gains in dB that bring neutral speech to the loudness of files, -20 LUFS (`SPEECH_LUFS` of @vaani/speech): its distance from the mean
 * of five articles of the Universal Declaration of Human Rights, by the language's name in eSpeak NG.
 */
const GAINS_DB: Readonly<Record<string, readonly number[]>> = {
  'en-us': [4.4, 5.1, 3.5, 6.5, 5.0],
  en: [3.9, 4.3, 2.8, 5.7, 4.3],
  ne: [3.4, 4.1, 2.5, 5.5, 4.2],
  hi: [3.3, 4.1, 2.2, 5.4, 3.8],
  fr: [4.9, 6.2, 4.8, 7.6, 6.3],
  sw: [2.8, 4.1, 2.2, 5.5, 4.0],
  ja: [3.8, 3.9, 2.2, 5.4, 3.9],
  es: [4.6, 5.7, 4.0, 7.1, 5.6],
  'es-419': [4.4, 5.4, 3.7, 6.9, 5.3],
  de: [4.7, 4.8, 3.1, 6.1, 4.7],
  'pt-br': [3.8, 4.4, 2.8, 6.0, 4.5],
  pt: [4.0, 4.5, 3.0, 6.0, 4.6],
  cmn: [3.8, 3.3, 1.8, 4.8, 3.5],
  ar: [5.0, 5.1, 3.1, 6.3, 4.8],
  ru: [4.9, 5.5, 3.9, 6.9, 5.3],
  bn: [2.0, 2.7, 0.9, 4.1, 2.7],
  cs: [4.1, 5.0, 3.4, 6.3, 4.9],
  da: [4.2, 4.5, 3.0, 6.0, 4.5],
  el: [4.0, 5.1, 3.6, 6.7, 5.1],
  fi: [3.7, 4.1, 2.6, 5.6, 4.2],
  gu: [3.2, 3.8, 2.2, 5.2, 3.8],
  hu: [4.4, 4.9, 3.6, 6.4, 5.0],
  id: [4.6, 5.1, 3.3, 6.3, 4.9],
  it: [5.2, 6.1, 4.3, 7.4, 5.8],
  ko: [3.3, 3.9, 2.1, 5.3, 3.9],
  mr: [3.4, 4.1, 2.2, 5.4, 3.9],
  nl: [4.6, 5.2, 3.6, 6.6, 5.2],
  pa: [3.3, 4.0, 2.2, 5.4, 3.9],
  pl: [3.9, 5.1, 3.1, 6.4, 4.7],
  ro: [4.1, 5.3, 3.6, 6.8, 5.1],
  sv: [4.5, 5.2, 3.6, 6.5, 5.1],
  ta: [3.9, 4.4, 2.6, 5.7, 4.4],
  te: [4.5, 4.9, 3.3, 6.2, 4.8],
  tr: [3.6, 4.2, 2.6, 5.5, 4.2],
  uk: [3.2, 3.6, 1.7, 4.8, 3.4],
  ur: [3.6, 3.8, 2.1, 5.1, 3.8],
  vi: [4.1, 4.6, 2.2, 6.4, 3.8],
}

/** Returns the gain after which a voice is as loud in this language as every voice in every language. */
export const gainDbOf = (espeak: string, voice: string): number =>
  GAINS_DB[espeak]?.[COLUMNS.indexOf(voice)] ?? 0
