import type { Language } from '../language.ts'
import { wholeNumeral } from '../numerals.ts'
import { NEVER, perLanguage } from './rule.ts'

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
    after: 'rated?|rating|ratings|scored?|score of|scores|marks',
    before: 'stars?|points|marks',
    page: '{0} of {1}',
    pages: 'pages?|question|step|part|slide|episode|chapter|lesson',
  },
  fr: {
    score: '{0} sur {1}',
    after: 'notée?s?|note|score|obtenu|évaluée?s?',
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
/** National sides, and short names that name little else. Sources of patterns. */
const SIDES: Readonly<Record<string, string>> = {
  en: 'India|Pakistan|Australia|England|Bangladesh|Sri Lanka|New Zealand|South Africa|West Indies|Zimbabwe|Afghanistan|Ireland|Nepal|Netherlands|Scotland|Namibia|Oman|IND|PAK|AUS|ENG|BAN|AFG|NEP|CSK|RCB|KKR|SRH',
  hi: 'भारत|इंडिया|पाकिस्तान|ऑस्ट्रेलिया|इंग्लैंड|बांग्लादेश|श्रीलंका|न्यूज़ीलैंड|न्यूजीलैंड|अफ्रीका|अफ़्रीका|वेस्टइंडीज|वेस्ट इंडीज|अफगानिस्तान|अफ़ग़ानिस्तान|नेपाल',
  ne: 'नेपाल|भारत|पाकिस्तान|अस्ट्रेलिया|इङ्गल्यान्ड|बंगलादेश|श्रीलंका|न्युजिल्यान्ड|अफ्रिका|अफगानिस्तान|नेदरल्यान्ड्स|स्कटल्यान्ड|नामिबिया|ओमान|यूएई',
}
const sideOf = perLanguage(({ locale }) => {
  const sides = SIDES[locale.slice(0, 2)]
  return sides === undefined
    ? undefined
    : new RegExp(
        String.raw`(?<![\p{L}\p{M}])(?:${sides})(?:ले)?(?: (?:are|were|is|was|made|scored|reached|on|at|ने)){0,2}:? $`,
        'u',
      )
})
/** What is said of cricket alone, beside a result. */
const OF_CRICKET = /(?<![\p{L}\p{M}])(?:wickets|overs|innings|ओवर(?:ों)?|ओभर(?:मा|को)?|रन)(?![\p{L}\p{M}])/u
const MOST_WICKETS = 10
/** Fewer may be a day. */
const RUNS = { least: 32, most: 599 } as const

/** Whether two numbers with a slash may be runs for wickets, and are rather no fraction. */
export const mayBeRuns = ({ over, under }: { over: number; under: number }): boolean =>
  over >= RUNS.least && over <= RUNS.most && under <= MOST_WICKETS && over > 3 * under

/** Words after the end of a result: `18/20 in math`. */
const SMALL_WORDS =
  'in|on|for|by|from|and|but|with|overall|en|et|mais|pour|par|au|im|bei|und|von|por|para|y|e|em|по|за|и|от|في|من|में|मा|और|र|katika|na'
const ENDS_RESULT = new RegExp(
  String.raw`^(?:\s*(?:$|[.,;:!?…)\]»”"।。，])(?!\d)| (?:${SMALL_WORDS})(?![\p{L}\p{M}]))`,
  'u',
)
/** Parts of something in the kitchen or the workshop, unless the phrase ends: `part 1/2 inch`. */
const isMeasure = (under: number): boolean => under <= 8 || under === 16 || under === 32 || under === 64
/** Halves, thirds and quarters are no results. */
const LEAST_POINTS = 5

const scoresOf = perLanguage(({ locale }) => {
  const known = SCORES[locale] ?? SCORES[locale.slice(0, 2)]
  if (known === undefined) return undefined
  const { score, page, after, before, pages } = known
  const start = locale.startsWith('zh') ? '' : String.raw`(?<![\p{L}\p{M}])`
  const end = String.raw`(?![\p{L}\p{M}])`
  const preceded = (words: string | undefined) =>
    words === undefined ? NEVER : new RegExp(String.raw`${start}(?:${words})[.:：]?(?: ?|: )$`, 'iu')
  return {
    score,
    page: page ?? score,
    after: preceded(after),
    pages: preceded(pages),
    before: before === undefined ? NEVER : new RegExp(String.raw`^ (?:${before})${end}`, 'iu'),
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
    const numbers = [over, under].map((number) => language.number(wholeNumeral(number)))
    return form.replaceAll(/\{([01])\}/g, (_, place: string) => numbers[Number(place)] ?? '')
  }
  const cricket = CRICKET[language.locale.slice(0, 2)]
  const isCricket =
    sideOf(language)?.test(before) === true || OF_CRICKET.test(after) || OF_CRICKET.test(before)
  if (cricket !== undefined && mayBeRuns({ over, under }) && isCricket) return say(cricket)
  const known = scoresOf(language)
  if (known === undefined || over > under) return undefined
  const isEnded = !isMeasure(under) || ENDS_RESULT.test(after)
  if (known.pages.test(before)) return isEnded ? say(known.page) : undefined
  if (under < LEAST_POINTS) return undefined
  return (isEnded && known.after.test(before)) || known.before.test(after) ? say(known.score) : undefined
}

/** Beside two years. */
const SEASON =
  /(?<!\p{L})(?:seasons?|saisons?|temporadas?|сезон\p{L}{0,2}|FY|school|academic|fiscal|financial)(?!\p{L})/iu

/** Of these many points results are given without a word that says so. */
const FULL = new Set([20, 100])
const NO_RESULT =
  /(?<!\p{L})(?:vision|eyesight|acuity|vue|visus|visión|visão|зрени\p{L}|ratio|split)(?: (?:is|of|was|de|à|est))?:? $/iu

/** Whether two numbers with a slash are rather a result, a share or a range than a fraction: `18/20`, `60/40`, `15/20 minutes`. */
export const isOfRound = ({ over, under }: { over: number; under: number }, { locale }: Language): boolean =>
  isRound(under) && over > 1 && !/^(?:zh|ja)/.test(locale)

/** Speaks a result without a word beside it, of a round number of points, at the end of a phrase. */
export function sayRoundScore(
  { over, under }: { over: number; under: number },
  { before, after }: { before: string; after: string },
  language: Language,
): string | undefined {
  const known = scoresOf(language)
  if (known === undefined || !FULL.has(under) || over >= under) return undefined
  if (!ENDS_RESULT.test(after) || NO_RESULT.test(before)) return undefined
  return known.score.replace('{0}', String(over)).replace('{1}', String(under))
}

/** Whether two numbers are years that follow each other, as a word beside them says. */
export const isSeason = ({ over, under }: { over: number; under: number }, beside: string): boolean =>
  under === over + 1 && SEASON.test(beside)
