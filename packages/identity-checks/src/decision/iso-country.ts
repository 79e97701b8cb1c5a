/** Codes of zones that are not states of ISO 3166-1: ICAO Doc 9303, part 3, section 5, parts B to D. Those that begin with X are not either. */
const NOT_ISO: ReadonlySet<string> = new Set(['EUE', 'IAO', 'NTZ', 'RKS', 'UNA', 'UNK', 'UNO', 'UTO', 'WSA'])

/** Nationalities of British subjects who are not British citizens. */
const BRITISH = /^GB[DNOPS]$/

/**
 * Returns the code of ISO 3166-1 (three letters) of a state or nationality as zones have it, or null if it is none, such as that of refugees.
 *
 * @example
 * toIsoCountry('D') // 'DEU'
 * toIsoCountry('GBO') // 'GBR'
 * toIsoCountry('XXA') // null
 */
export function toIsoCountry(icao: string | null): string | null {
  if (icao === 'D') return 'DEU'
  if (icao === null || !/^[A-WYZ][A-Z]{2}$/.test(icao) || NOT_ISO.has(icao)) return null
  return BRITISH.test(icao) ? 'GBR' : icao
}
