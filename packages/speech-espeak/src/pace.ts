/** Words per minute at a rate of 1. */
const WORDS_PER_MINUTE = 175
/** Bounds of the engine's parameter. */
const SLOWEST = 80
const FASTEST = 450

/**
 * Measured: how fast each language is spoken at half and at twice the words per minute, relative to its speed at 175. The
 * engine shortens pauses and sounds of languages differently.
 */
const PACE: Readonly<Record<string, readonly [atHalf: number, atDouble: number]>> = {
  'en-us': [0.46, 2.16],
  en: [0.46, 2.14],
  ne: [0.46, 2.03],
  hi: [0.47, 1.96],
  fr: [0.46, 2.02],
  sw: [0.44, 2.27],
  ja: [0.49, 2.13],
  es: [0.47, 1.85],
  'es-419': [0.46, 1.99],
  de: [0.44, 2.34],
  'pt-br': [0.46, 2.01],
  pt: [0.46, 2.11],
  cmn: [0.47, 2.15],
  ar: [0.47, 2.15],
  ru: [0.53, 1.67],
  bn: [0.46, 2.13],
  cs: [0.47, 2.08],
  da: [0.46, 2.06],
  el: [0.48, 1.93],
  fi: [0.46, 2.24],
  gu: [0.48, 2.24],
  hu: [0.47, 2.12],
  id: [0.45, 2.22],
  it: [0.49, 1.98],
  ko: [0.48, 1.97],
  mr: [0.47, 2.22],
  nl: [0.45, 2.2],
  pa: [0.48, 1.99],
  pl: [0.46, 2.11],
  ro: [0.46, 2.23],
  sv: [0.45, 2.3],
  ta: [0.46, 1.97],
  te: [0.45, 2.29],
  tr: [0.45, 2.05],
  uk: [0.48, 2.15],
  ur: [0.47, 2.02],
  vi: [0.46, 2.05],
}

/**
 * Returns the words per minute that speak a language at a rate, within about 6 % from a half to twice its usual speed.
 *
 * @param espeak - name of the language's voice in eSpeak NG
 */
export function wordsPerMinute(espeak: string, rate: number): number {
  const [atHalf, atDouble] = PACE[espeak] ?? [0.5, 2]
  // The speed is a power of the parameter.
  const power = rate < 1 ? -Math.log2(atHalf) : Math.log2(atDouble)
  return Math.round(Math.max(SLOWEST, Math.min(FASTEST, WORDS_PER_MINUTE * rate ** (1 / power))))
}
