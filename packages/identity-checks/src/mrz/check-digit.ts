const WEIGHTS = [7, 3, 1]

/** Returns the value of a character of a machine-readable zone: digits as they are, A to Z from 10, the filler 0. */
function valueOf(character: string): number {
  if (character === '<') return 0
  return character <= '9' ? Number(character) : character.charCodeAt(0) - 55
}

/** Computes the check digit of a field (ICAO Doc 9303, part 3, 4.9): the weighted sum modulo 10, as text. */
export function checkDigit(field: string): string {
  let sum = 0
  for (let index = 0; index < field.length; index++)
    sum += valueOf(field[index] ?? '<') * (WEIGHTS[index % 3] ?? 1)
  return String(sum % 10)
}
