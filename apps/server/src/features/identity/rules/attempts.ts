import { CHECK_NAMES, type CheckResult, unsure } from '@vaani/identity-checks/check'

/** How often the checks of a verification are started before it goes to review. */
export const MAX_ATTEMPTS = 3

/** Delay after each failed attempt. After the last one, the decision follows at once. */
const RETRY_DELAYS_SECONDS = [60, 600]

export const retryDelaySeconds = (attempts: number): number => RETRY_DELAYS_SECONDS[attempts - 1] ?? 0

/**
 * Returns the results of a verification that is not tried again. Checks that never finished go to a person, because media could be made to
 * exhaust the attempts.
 */
export const giveUp = (known: readonly CheckResult[]): CheckResult[] =>
  CHECK_NAMES.map((name) => known.find(({ check }) => check === name) ?? unsure(name, 'attempts_exhausted'))
