export interface Columns {
  readonly number: number
  readonly reason: number | undefined
  /** Whether the first record names the columns. */
  readonly hasHeader: boolean
}

const NUMBER_NAMES = /phone|mobile|number|msisdn|telephone|contact|फोन|मोबाइल|नम्बर/iu
const REASON_NAMES = /reason|note|comment|कारण/iu

/** A header has no digits where its numbers are: a first line with a wrong number is refused, and not taken for a header. */
export function findColumns(cells: readonly string[]): Columns {
  const named = cells.findIndex((cell) => NUMBER_NAMES.test(cell))
  const number = Math.max(named, 0)
  const hasHeader = !/\p{Nd}/u.test(cells[number] ?? '')
  if (!hasHeader) return { number: 0, reason: 1, hasHeader: false }
  const reason = cells.findIndex((cell) => REASON_NAMES.test(cell))
  return { number, reason: reason === -1 ? undefined : reason, hasHeader: true }
}
