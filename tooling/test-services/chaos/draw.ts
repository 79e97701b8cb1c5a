/** Something that breaks and heals. */
export interface Fault<Storm> {
  /** Relative frequency. */
  weight: number
  isPossible?(storm: Storm): boolean
  /** Breaks something and heals it again. */
  strike(storm: Storm): Promise<void>
}

/** Draws a fault that is possible here, by its weight. */
export function drawFault<Storm extends { random(): number }>(
  faults: Readonly<Record<string, Fault<Storm>>>,
  storm: Storm,
): [name: string, fault: Fault<Storm>] {
  const possible = Object.entries(faults).filter(([, { isPossible }]) => isPossible?.(storm) ?? true)
  let place = storm.random() * possible.reduce((sum, [, { weight }]) => sum + weight, 0)
  const drawn = possible.find(([, { weight }]) => (place -= weight) < 0) ?? possible[0]
  if (drawn === undefined) throw new Error('No fault is possible here')
  return drawn
}

/** Draws a duration. */
export const between = ({ random }: { random(): number }, fromMs: number, toMs: number): number =>
  fromMs + random() * (toMs - fromMs)
