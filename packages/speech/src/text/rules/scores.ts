import type { Language } from '../language.ts'
import { perLanguage } from './rule.ts'

/** How a language says points of those that can be had, and pages. Words are sources of patterns. */
interface Scores {
  /** With `{0}` for the points and `{1}` for how many there can be. */
  score: string
  /** Words before a result. */
  after: string
  /** Words after a result. */
  before?: string
  /** With `{0}` for a page and `{1}` for how many there are. */
  page?: string
  /** Words before a page. */
  pages?: string
}

const SCORES: Readonly<Record<string, Scores>> = {
  en: {
    score: '{0} out of {1}',
    after: 'rated?|rating|ratings|scored?|score of|scores|grade|marks?|got|gave (?:it|her|him|them)|give it',
    before: 'stars?|points|marks',
    page: '{0} of {1}',
    pages: 'pages?|question|step|part|slide|episode|chapter|lesson',
  },
  fr: {
    score: '{0} sur {1}',
    after: 'notée?s?|note|score|obtenu|eu|évaluée?s?',
    before: 'étoiles?|points',
    page: '{0} sur {1}',
    pages: 'page|étape|question|partie|épisode|leçon',
  },
  de: {
    score: '{0} von {1}',
    after: 'Bewertung|bewertet mit|Punktzahl|Ergebnis',
    before: 'Sternen?|Punkten?',
    page: '{0} von {1}',
    pages: 'Seite|Schritt|Frage|Teil|Folge|Kapitel|Lektion',
  },
  es: {
    score: '{0} sobre {1}',
    after: 'nota|puntuación|puntaje|calificación|valoración',
    before: 'estrellas?|puntos',
    page: '{0} de {1}',
    pages: 'página|paso|pregunta|parte|capítulo|lección',
  },
  pt: {
    score: '{0} de {1}',
    after: 'nota|pontuação|avaliação',
    before: 'estrelas?|pontos',
    page: '{0} de {1}',
    pages: 'página|passo|etapa|pergunta|parte|capítulo|lição',
  },
  ru: {
    score: '{0} из {1}',
    after: 'оценка|оценку|рейтинг|результат',
    before: 'зв[её]зд[аы]?|балл(?:а|ов)?',
    page: '{0} из {1}',
    pages: 'страница|стр|шаг|вопрос|часть|серия|глава',
  },
  ar: {
    score: '{0} من {1}',
    after: 'الدرجة|درجة|التقييم|تقييم|النتيجة|علامة',
    before: 'نجوم|نجمة|نقاط',
    page: '{0} من {1}',
    pages: 'صفحة|الصفحة|سؤال|السؤال|الجزء',
  },
  hi: { score: '{1} में से {0}', after: 'अंक|रेटिंग|स्कोर', before: 'अंक|स्टार' },
  ne: { score: '{1} मा {0}', after: 'अंक|अङ्क|रेटिङ|स्कोर' },
  sw: {
    score: '{0} kati ya {1}',
    after: 'alama',
    before: 'nyota',
    page: '{0} kati ya {1}',
    pages: 'ukurasa|swali',
  },
  zh: { score: '{0}，满分{1}', after: '得分|评分|分数|成绩' },
  'zh-Hant': { score: '{0}，滿分{1}', after: '得分|評分|分數|成績' },
}

/** Runs for wickets, after the name of a side. */
const CRICKET: Readonly<Record<string, string>> = {
  en: '{0} for {1}',
  hi: '{1} विकेट पर {0}',
  ne: '{1} विकेटमा {0}',
}
const SIDE = /(?<![\p{L}\p{M}])(?:\p{Lu}[\p{L}.]{1,24}|\p{Lo}[\p{Lo}\p{M}]{1,24}|at|were|made|on) $/u
const MOST_WICKETS = 10
const RUNS = { least: 30, most: 599 } as const

const scoresOf = perLanguage(({ locale }) => {
  const known = SCORES[locale] ?? SCORES[locale.slice(0, 2)]
  if (known === undefined) return undefined
  const { score, page, after, before, pages } = known
  const start = locale.startsWith('zh') ? '' : String.raw`(?<![\p{L}\p{M}])`
  const end = String.raw`(?![\p{L}\p{M}])`
  const never = /(?!)/
  const preceded = (words: string | undefined) =>
    words === undefined ? never : new RegExp(String.raw`${start}(?:${words})[.:：]?(?: ?|: )$`, 'iu')
  return {
    score,
    page: page ?? score,
    after: preceded(after),
    pages: preceded(pages),
    before: before === undefined ? never : new RegExp(String.raw`^ (?:${before})${end}`, 'iu'),
  }
})

/** Of so many points, few are parts: `18/20`, `85/100`. */
const isRound = (under: number): boolean => under >= 20 && under % 10 === 0

/** Speaks two numbers with a slash that are a result or a page: `18/20`, `4/5 stars`, `page 3/10`, `India 325/7`. */
export function sayScore(
  { over, under }: { over: number; under: number },
  { before, after }: { before: string; after: string },
  language: Language,
): string | undefined {
  const say = (form: string) => {
    const numbers = [over, under].map((number) =>
      language.number({ negative: false, integer: String(number), fraction: '' }),
    )
    return form.replaceAll(/\{([01])\}/g, (_, place: string) => numbers[Number(place)] ?? '')
  }
  const cricket = CRICKET[language.locale.slice(0, 2)]
  const isRuns = over >= RUNS.least && over <= RUNS.most && under <= MOST_WICKETS && over > 3 * under
  if (cricket !== undefined && isRuns && SIDE.test(before)) return say(cricket)
  const known = scoresOf(language)
  if (known === undefined || over > under) return undefined
  if (known.pages.test(before)) return say(known.page)
  return known.after.test(before) || known.before.test(after) ? say(known.score) : undefined
}

/** Beside two years. */
const SEASON =
  /(?<!\p{L})(?:seasons?|saisons?|temporadas?|сезон\p{L}{0,2}|FY|school|academic|fiscal|financial)(?!\p{L})/iu

/** Speaks a result without a word beside it, of a round number of points. */
export function sayRoundScore(
  { over, under }: { over: number; under: number },
  { before, after }: { before: string; after: string },
  language: Language,
): string | undefined {
  const known = scoresOf(language)
  if (known === undefined || !isRound(under) || over <= 1 || over >= under) return undefined
  if (language.locale.startsWith('zh') || isSeason({ over, under }, before + after)) return undefined
  return known.score.replace('{0}', String(over)).replace('{1}', String(under))
}

/** Whether two numbers are years that follow each other, as a word beside them says. */
export const isSeason = ({ over, under }: { over: number; under: number }, beside: string): boolean =>
  under === over + 1 && SEASON.test(beside)
