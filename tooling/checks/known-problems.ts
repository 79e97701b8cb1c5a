import { describe, type ImportProblem } from './find-import-problems.ts'

/** Imports that were there before the rule that forbids them. The list only shrinks: a stale line fails the check. */
export const knownProblems: readonly ImportProblem[] = []

/** One line for each problem that is not known, and for each known one that is gone. */
export function compareWithKnown(
  problems: readonly ImportProblem[],
  known: readonly ImportProblem[] = knownProblems,
): string[] {
  const isIn = (list: readonly ImportProblem[], { rule, imports }: ImportProblem): boolean =>
    list.some((other) => other.rule === rule && other.imports === imports)
  return [
    ...problems.filter((problem) => !isIn(known, problem)).map(describe),
    ...known
      .filter((problem) => !isIn(problems, problem))
      .map(({ rule, imports }) => `${imports}: solved, so delete its line in known-problems.ts (${rule})`),
  ]
}
