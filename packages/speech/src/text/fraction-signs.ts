/** The fractions that have a sign of their own. */
export const SIGNS = '½¼¾⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞'

/** Names every fraction that has a sign. */
export const nameSigns = (name: (over: number, under: number) => string): Record<string, string> =>
  Object.fromEntries(
    [...SIGNS].map((sign) => {
      const [over = 0, under = 0] = sign.normalize('NFKC').split('⁄').map(Number)
      return [sign, name(over, under)]
    }),
  )
