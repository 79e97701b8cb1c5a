import type { SourceText } from './find-sql-problems.ts'

/** Libraries of callers, who serve nobody but themselves, and the queue that everybody else uses. */
const MAY_WAIT = /^packages\/(?:turns|client|cli|pcm-audio|testing)\//
/** Nobody waits for a turn here: writers settle together, and the frames and the clock of one simulated call stay in order. */
const NO_TURNS = new Set([
  'packages/service-kit/src/work/group-writer.ts',
  'packages/telephony/src/line/line-call.ts',
  'packages/telephony-sip/src/simulator/simulator-carrier.ts',
])
/** Promises that are kept to be settled later, or chained so that each waits for the one before. */
const LISTS = [
  /\.(?:push|unshift)\([^)]*\b(?:resolve|withResolvers)\b/,
  /PromiseWithResolvers<[^;=]*>\[\]/,
  /\b(last|previous|tail|chain)\w* = \1\w*(?:\.catch\(.*\))?\.then\(/i,
]

/** Finds waiting lists by hand, which serve whoever came first: one account could hold all others up. */
export const findWaitingLists = (sources: readonly SourceText[]): string[] =>
  sources
    .filter(({ file }) => !MAY_WAIT.test(file) && !NO_TURNS.has(file) && !file.endsWith('.test.ts'))
    .filter(({ text }) => LISTS.some((list) => list.test(text)))
    .map(
      ({ file }) =>
        `${file}: keeps a waiting list of its own; use @vaani/turns, in which accounts take turns`,
    )
