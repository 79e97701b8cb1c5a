import type { Pair, PairSide } from '@vaani/client'

/** Returns what the two answers of a pair differ in. */
export const differencesOf = ({ differs_in_code, differing_scores, fields }: Pair): string[] => [
  ...(differs_in_code ? ['error code'] : []),
  ...differing_scores,
  ...Object.entries(fields).flatMap(([name, kind]) => (kind === 'equal' ? [] : [`${name} ${kind}`])),
]

export const endingsOf = ({ v1, v2 }: Pair): string => `${endingOf(v1)} -> ${endingOf(v2)}`

const endingOf = ({ ending, error_code }: PairSide): string => error_code ?? ending ?? 'unknown'
