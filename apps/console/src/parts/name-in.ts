/** Returns what a code is called; undefined if it is not in the table. */
export const nameIn = (names: Readonly<Record<string, string>>, code: string): string | undefined =>
  Object.hasOwn(names, code) ? names[code] : undefined
