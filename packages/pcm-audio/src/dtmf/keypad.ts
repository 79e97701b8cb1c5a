/** Frequencies of the keypad's rows and columns, in hertz (ITU-T Q.23, table 1). */
export const DTMF_LOW_HZ = [697, 770, 852, 941] as const
export const DTMF_HIGH_HZ = [1209, 1336, 1477, 1633] as const
/** The keys, row by row. */
export const KEYPAD = '123A456B789C*0#D'

/** A key of the keypad. */
export type DtmfKey =
  | '0'
  | '1'
  | '2'
  | '3'
  | '4'
  | '5'
  | '6'
  | '7'
  | '8'
  | '9'
  | '*'
  | '#'
  | 'A'
  | 'B'
  | 'C'
  | 'D'

/** Returns the key at a row and a column, both from 0 to 3. */
export const dtmfKeyAt = (row: number, column: number): DtmfKey => KEYPAD.charAt(row * 4 + column) as DtmfKey
