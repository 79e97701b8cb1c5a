import { SIGNS } from '../fraction-signs.ts'
import type { Forms } from '../language.ts'
import { wholeNumeral } from '../numerals.ts'
import { replaceMatches } from '../spoken-text.ts'
import { isEqualOrClock, nameFraction, sayMixed } from './fractions.ts'
import { perLanguage, type Rule, wordEnd } from './rule.ts'
import { formsOf, unitSource } from './units.ts'

const partsOf = perLanguage(
  (language) =>
    new RegExp(
      String.raw`(?<![\p{sc=Latn}\p{sc=Cyrl}\d.,:/${SIGNS}-]|\d )(?:(?<whole>\d{1,4})(?: |(?=[${SIGNS}])))?(?:(?<sign>[${SIGNS}])|(?<over>\d{1,2})\/(?<under>[1-9]\d{0,2}))[ \u00a0]?(?<unit>${unitSource(language)})${wordEnd(language, "²³'’/")}`,
      'gu',
    ),
)

/** Looked for first, for speed. */
const HAS_PART = new RegExp(String.raw`[${SIGNS}]|\d\/[1-9]`)

/** Reads a part of a unit, which is no number of them, and one that follows whole units: `1/2 km`, `¾ h`, `2½ kg`. */
export const speakParts: Rule = (spoken, language) => {
  if (!HAS_PART.test(spoken.text)) return spoken
  return replaceMatches(spoken, partsOf(language), ({ groups = {} }) => {
    const { whole, sign, over = '', under = '', unit = '' } = groups
    const forms = formsOf(unit, language)
    const { name, isHalf } = nameFraction({ sign, over, under }, language)
    const isNoPart = sign === undefined && isEqualOrClock({ over: Number(over), under: Number(under) })
    if (forms === undefined || name === undefined || isNoPart || !/\p{L}/u.test(unit)) return undefined
    if (whole === undefined)
      return language.part?.({ name, isHalf, unit: nameOf(forms), forms }) ?? amountOf(name, forms)
    if (language.partAfter === undefined || isCompound(forms))
      return amountOf(sayMixed(whole, { name, isHalf }, language), forms)
    return `${language.count(wholeNumeral(whole), forms)} ${language.partAfter({ name, isHalf, forms })}`
  })
}

const amountOf = (amount: string, forms: Forms): string => forms.other.replace('{0}', () => amount)

/** Whether a name has more words than a noun and an adjective: `{0} millas por hora`. */
const isCompound = ({ other }: Forms): boolean => other.split(' ').length > 3

/** A unit by itself, in the singular. */
const nameOf = (forms: Forms): string => (forms.one ?? forms.other).replace('{0}', '').trim()
