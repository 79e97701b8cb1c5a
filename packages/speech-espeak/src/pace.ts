/** Words per minute at a rate of 1. */
const WORDS_PER_MINUTE = 175
/** Bounds of the engine's parameter. */
const SLOWEST = 80
const FASTEST = 450
/** The words per minute of the columns below. */
const [SLOW, FAST] = [130, 220]

/**
 * Measured: how fast each language is spoken at 130 and at 220 words per minute, relative to its speed at 175: means of six articles of the
 * Universal Declaration of Human Rights. The engine shortens pauses and sounds of languages differently.
 */
const PACE: Readonly<Record<string, readonly [atSlow: number, atFast: number]>> = {
  'en-us': [0.754, 1.225],
  en: [0.747, 1.237],
  ne: [0.73, 1.277],
  hi: [0.734, 1.262],
  fr: [0.737, 1.235],
  sw: [0.71, 1.295],
  ja: [0.713, 1.302],
  es: [0.757, 1.231],
  'es-419': [0.735, 1.244],
  de: [0.754, 1.244],
  'pt-br': [0.736, 1.25],
  pt: [0.733, 1.252],
  cmn: [0.715, 1.307],
  ar: [0.76, 1.241],
  ru: [0.802, 1.16],
  bn: [0.722, 1.284],
  cs: [0.74, 1.239],
  da: [0.758, 1.223],
  el: [0.752, 1.235],
  fi: [0.739, 1.262],
  gu: [0.722, 1.279],
  hu: [0.743, 1.244],
  id: [0.731, 1.25],
  it: [0.766, 1.215],
  ko: [0.733, 1.258],
  mr: [0.742, 1.253],
  nl: [0.745, 1.224],
  pa: [0.726, 1.282],
  pl: [0.742, 1.244],
  ro: [0.733, 1.253],
  sv: [0.745, 1.243],
  ta: [0.737, 1.245],
  te: [0.725, 1.258],
  tr: [0.728, 1.273],
  uk: [0.737, 1.25],
  ur: [0.728, 1.279],
  vi: [0.732, 1.255],
}

/** Rates that are spoken by the table. Beyond them, some texts of a language differ from it by more than 3 %. */
const NEAR = { least: 0.9, most: 1.1 } as const
/** A text is spoken at its rate within this factor, about 1.5 %. */
const CLOSE = 0.015
/** The engine's steps may be coarser than that, and its bounds too narrow: it speaks Russian at 0.57 to 1.8 times its usual speed. */
const MAX_TRIES = 4

const clamp = (wordsPerMinute: number): number =>
  Math.round(Math.max(SLOWEST, Math.min(FASTEST, wordsPerMinute)))

/** The factors of `createTempo`. */
const clampTempo = (factor: number): number => Math.max(0.5, Math.min(2, factor))

/** How the logarithm of the words per minute changes with that of the rate. */
function powerOf(espeak: string, rate: number): number {
  const [atSlow, atFast] = PACE[espeak] ?? [SLOW / WORDS_PER_MINUTE, FAST / WORDS_PER_MINUTE]
  return rate < 1
    ? Math.log(SLOW / WORDS_PER_MINUTE) / Math.log(atSlow)
    : Math.log(FAST / WORDS_PER_MINUTE) / Math.log(atFast)
}

/**
 * Returns the words per minute that speak a language at a rate, within about 3 % from 0.9 to 1.1 times its usual speed.
 *
 * @param espeak - name of the language's voice in eSpeak NG
 */
export const wordsPerMinute = (espeak: string, rate: number): number =>
  clamp(WORDS_PER_MINUTE * rate ** powerOf(espeak, rate))

/** Whether the words per minute that speak a text at a rate are found by trying. */
export const isFarRate = (rate: number): boolean => rate < NEAR.least || rate > NEAR.most

/** How long a text lasts at words per minute, in samples. */
export type Trial = readonly [wordsPerMinute: number, length: number]

/**
 * Finds the words per minute that speak a text at a rate, by how long it lasts at some.
 *
 * @param guess - where the search begins
 * @param trials - what is known already, in the order in which it was asked for
 * @returns what is to be tried next, or else the result, with the factor that its speech still lacks
 */
export function nextTrial(
  { rate, guess }: { rate: number; guess: number },
  trials: readonly Trial[],
): { tryAt: number } | { wordsPerMinute: number; tempo: number } {
  const [usual, ...others] = trials
  if (usual === undefined) return { tryAt: WORDS_PER_MINUTE }
  const wanted = usual[1] / rate
  const last = others.at(-1)
  if (last === undefined) return { tryAt: guess }
  // A text without a sound.
  if (wanted === 0 || last[1] === 0) return { wordsPerMinute: guess, tempo: 1 }
  const errorOf = ([, length]: Trial): number => Math.log(length / wanted)
  const next = clamp(last[0] * Math.exp(errorOf(last)))
  if (Math.abs(errorOf(last)) >= CLOSE && others.length < MAX_TRIES && next !== last[0])
    return { tryAt: next }
  const [best] = others.toSorted((one, other) => Math.abs(errorOf(one)) - Math.abs(errorOf(other)))
  if (best === undefined) return { wordsPerMinute: guess, tempo: 1 }
  const error = errorOf(best)
  return { wordsPerMinute: best[0], tempo: Math.abs(error) < CLOSE ? 1 : clampTempo(Math.exp(error)) }
}
