/** Fits the bisection to the last bits of a double. */
const HALVINGS = 60

/** Where a predicate that is false on the left becomes true. */
export function bisect(left: number, right: number, isRight: (value: number) => boolean): number {
  let [low, high] = [left, right]
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + high) / 2
    if (isRight(middle)) high = middle
    else low = middle
  }
  return (low + high) / 2
}
