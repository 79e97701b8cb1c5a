import { toCardinal } from 'n2words/ru-RU'
import type { Language } from '../language.ts'

type Case = 'instrumental' | 'dative' | 'prepositional'

/** Two to four, whose stems change. */
const SMALL: Readonly<Record<Case, readonly string[]>> = {
  instrumental: ['двумя', 'тремя', 'четырьмя'],
  dative: ['двум', 'трём', 'четырём'],
  prepositional: ['двух', 'трёх', 'четырёх'],
}
/** Larger numbers are left to the engine: few texts have them, and their parts change each by itself. */
const MOST = 30

function inflect(count: number, name: Case): string | undefined {
  const small = SMALL[name][count - 2]
  if (small !== undefined) return small
  if (count < 5 || count > MOST || (count > 20 && count < MOST && count % 10 === 1)) return undefined
  if (count > 20 && count < MOST) {
    const rest = inflect(count % 10, name)
    return rest === undefined ? undefined : `${inflect(20, name)} ${rest}`
  }
  const words = toCardinal(count)
  if (name === 'instrumental') return words.replace(/ь$/, 'ью')
  return words.replace('восемь', 'восьмь').replace(/ь$/, 'и')
}

const pattern = (prepositions: string, noun: string): RegExp =>
  new RegExp(
    String.raw`(?<=(?<!\p{L})(?:${prepositions}) )(?<count>\d{1,2})(?= (?:\p{Ll}{2,20}(?:ыми|ими|ым|им|ых|их) )?\p{Ll}{1,20}(?:${noun})(?!\p{L}))`,
    'giu',
  )

/** A preposition and the ending of a noun tell the case together: `с 2 друзьями`, `к 5 часам`, `в 2 городах`. */
const CASES: readonly (readonly [Case, RegExp])[] = [
  ['instrumental', pattern('с|со|между|над|под|перед|за', '[аяь]ми')],
  ['dative', pattern('к|по', '[аяь]м')],
  ['prepositional', pattern('в|на|о|об|при', '[аяь]х')],
]

/** Numbers in a case that engines do not know. */
export const CASE_COUNTERS: NonNullable<Language['counters']> = CASES.map(([name, counted]) => ({
  pattern: counted,
  say: ({ 0: written, groups: { count = '' } = {} }) => inflect(Number(count), name) ?? written,
}))
