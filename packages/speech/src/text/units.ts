import type { Forms } from './language.ts'
import { SHORT_UNITS } from './kitchen-units.ts'
// CLDR 48.2 (cldr-units-full, units.json, long forms; Unicode License v3), with a space before each Devanagari unit, Japanese
// kanji as kana, and the words for percent that Chinese and Arabic do not spell out there.
import table from './units.json' with { type: 'json' }

const UNITS: Readonly<Record<string, Readonly<Record<string, Forms>>>> = table

/** Units of a locale by symbol; a region adds to its language. */
export function unitsOf(locale: string): Readonly<Record<string, Forms>> {
  const [language = ''] = locale.split('-')
  return { ...UNITS[language], ...UNITS[locale], ...SHORT_UNITS[language] }
}
