import type { Ending, PairOutcome, Severity, Stage } from '@vaani/contracts/migration'

// The contract's own lists would bring zod into the console. A test compares them.

/** From the first to the last. */
export const STAGES = [
  'off',
  'shadow-1',
  'shadow-10',
  'shadow-25',
  'shadow-50',
  'shadow-100',
  'live',
  'complete',
] as const satisfies readonly Stage[]

/** Whether callers get the answers of v2. */
export const isAnsweredByV2 = (stage: Stage): boolean => stage === 'live' || stage === 'complete'

export const ENDINGS = [
  'approved',
  'review',
  'declined',
  'refused',
  'failed',
  'unfinished',
] as const satisfies readonly Ending[]

/** From the mildest. */
export const SEVERITIES = ['mild', 'serious', 'worst'] as const satisfies readonly Severity[]

/** From the least that was observed. */
export const OUTCOMES = [
  'waiting',
  'not_sent',
  'primary_failed',
  'candidate_failed',
  'unfinished',
  'unreadable',
  'mismatched',
  'callback_missing',
  'agreed',
] as const satisfies readonly PairOutcome[]
