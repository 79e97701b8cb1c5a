import { describe, type ImportProblem } from './find-import-problems.ts'

/** Imports that were there before the rule that forbids them. The list only shrinks: a stale line fails the check. */
export const knownProblems: readonly ImportProblem[] = [
  ...[
    'apps/server/src/accounts/audit-log.ts → apps/server/src/database/connect.ts → apps/server/src/database/schema.ts → apps/server/src/accounts/audit-log.ts',
    'apps/server/src/accounts/audit-log.ts → apps/server/src/database/schema.ts → apps/server/src/accounts/audit-log.ts',
    'apps/server/src/accounts/caller-ids.ts → apps/server/src/accounts/on-account.ts → apps/server/src/context.ts → apps/server/src/accounts/caller-ids.ts',
    'apps/server/src/accounts/caller-ids.ts → apps/server/src/context.ts → apps/server/src/accounts/caller-ids.ts',
    'apps/server/src/accounts/create-account-rows.ts → apps/server/src/calls/agents.ts → apps/server/src/context.ts → apps/server/src/accounts/first-start.ts → apps/server/src/accounts/create-account-rows.ts',
    'apps/server/src/identity/claim-verifications.ts → apps/server/src/identity/store.ts → apps/server/src/identity/claim-verifications.ts',
  ].map((imports) => ({ rule: 'no-circle', imports })),
  {
    rule: 'stores-know-no-http',
    imports: 'apps/server/src/calls/store.ts → packages/service-kit/src/http/api-error.ts',
  },
]

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
