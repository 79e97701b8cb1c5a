const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** Describes a period in the largest unit that divides it: `minute`, `30 days`, `90 seconds`. */
export function describePeriod(seconds: number): string {
  const [unit, size] = UNITS.find(([, unitSeconds]) => seconds % unitSeconds === 0) ?? ['second', 1]
  return seconds === size ? unit : `${seconds / size} ${unit}s`
}
