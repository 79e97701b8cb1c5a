/** Returns the digits of a number without the prefix of international numbers, which trunks write as `+`, as `00`, or not at all. */
const digitsOf = (number: string): string => number.replace(/^(?:\+|00)/, '')

/** Returns the entry of the number that a caller reached, however the trunk writes it; undefined if there is none. */
export const findNumber = <Entry extends { readonly number: string }>(
  entries: readonly Entry[],
  called: string | undefined,
): Entry | undefined =>
  called === undefined ? undefined : entries.find(({ number }) => digitsOf(number) === digitsOf(called))
