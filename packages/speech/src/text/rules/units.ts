import { minusSource, numberSource, parseNumeral } from '../numerals.ts'
import { replaceMatches } from '../spoken-text.ts'
import { alternatives, joinedLetters, perLanguage, type Rule, wordEnd } from './rule.ts'

/** Other ways of writing the symbols of the table. */
const ALIASES: Readonly<Record<string, string>> = {
  '٪': '%',
  '％': '%',
  '℃': '°C',
  '℉': '°F',
  '°С': '°C',
  L: 'l',
  mL: 'ml',
  μg: 'µg',
  mcg: 'µg',
  m2: 'm²',
  km2: 'km²',
  m3: 'm³',
  '㎡': 'm²',
  '㎞': 'km',
  '㎏': 'kg',
  kph: 'km/h',
  kmh: 'km/h',
  KB: 'kB',
  Km: 'km',
  KM: 'km',
  Kg: 'kg',
  KG: 'kg',
  lbs: 'lb',
  sec: 's',
  किमी: 'km',
  'कि.मी.': 'km',
  'कि.मि.': 'km',
  किग्रा: 'kg',
  'कि.ग्रा.': 'kg',
  'के.जी.': 'kg',
  केजी: 'kg',
  'ग्रा.': 'g',
  सेमी: 'cm',
  'से.मी.': 'cm',
  'से.मि.': 'cm',
  'मि.मी.': 'mm',
  'मि.मि.': 'mm',
  'मि.ली.': 'ml',
  'मि.लि.': 'ml',
  'ली.': 'l',
  'लि.': 'l',
  मिमी: 'mm',
  км: 'km',
  см: 'cm',
  мм: 'mm',
  м: 'm',
  кг: 'kg',
  мг: 'mg',
  г: 'g',
  л: 'l',
  мл: 'ml',
  'км/ч': 'km/h',
  'м/с': 'm/s',
  'м²': 'm²',
  ГБ: 'GB',
  МБ: 'MB',
  кВт: 'kW',
  ч: 'h',
  мин: 'min',
  сек: 's',
  كم: 'km',
  كغ: 'kg',
  كجم: 'kg',
  'كم/س': 'km/h',
  時間: 'h',
  秒: 's',
}
/** Symbols that are words or plurals if no space precedes them: `the 90s`. */
const AFTER_SPACE = /^s$/

const unitPattern = perLanguage((language) => {
  const symbols = alternatives([...Object.keys(language.units), ...Object.keys(ALIASES)])
  return new RegExp(
    String.raw`(?<number>${minusSource(joinedLetters(language))}${numberSource(language)})(?<space>[ \u00a0\u202f]?)(?<unit>${symbols})${wordEnd(language, '²³')}(?!\/\p{L})`,
    'gu',
  )
})

/** Reads units and percentages in full: `5 km/h`, `20 °C`, `3.5%`. */
export const speakUnits: Rule = (spoken, language) =>
  replaceMatches(spoken, unitPattern(language), ({ groups = {}, 0: written }) => {
    const { number = '', space, unit = '' } = groups
    if (space === '' && AFTER_SPACE.test(unit)) return undefined
    const forms = language.units[ALIASES[unit] ?? unit]
    const numeral = parseNumeral(number, language)
    if (forms === undefined || numeral === undefined) return undefined
    return `${/^[ ]/.test(written) ? ' ' : ''}${language.count(numeral, forms)}`
  })
