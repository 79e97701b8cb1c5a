import { CHECK_NAMES, type CheckResult, notRun } from '@vaani/identity-checks/check'

/** How often the checks of a verification are begun before a person must look at it. */
export const MAX_ATTEMPTS = 3

/** How long nobody takes it up after each of them has failed. The last one leads to the decision at once. */
const RETRY_DELAYS_SECONDS = [60, 600]

export const retryDelaySeconds = (attempts: number): number => RETRY_DELAYS_SECONDS[attempts - 1] ?? 0

/**
 * The results of a verification that is not tried again: each check that never ended did not run, so no policy that
 * requires it approves.
 */
export const giveUp = (known: readonly CheckResult[]): CheckResult[] =>
  CHECK_NAMES.map((name) => known.find(({ check }) => check === name) ?? notRun(name, 'attempts_exhausted'))
