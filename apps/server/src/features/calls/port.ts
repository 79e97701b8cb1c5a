import type { Announce } from './announce.ts'
import type { FoundRoute, RoutedCall } from './find-route.ts'
import type { LineCaps } from './line-caps.ts'

export type { RoutedCall } from './find-route.ts'
export { describeBarred } from './number-bar.ts'

/** What the calls feature offers to the other features. */
export interface CallsPort {
  /** Names of the carriers that dial. */
  carriers: readonly string[]
  /** Describes the health of those that know it; empty in a process that dials no calls. */
  describeHealth(): Readonly<Record<string, string>>
  /** Returns how a call would be carried; undefined if no carrier rings such numbers. */
  findRoute(call: RoutedCall): FoundRoute | undefined
  /** Returns the caps of an account's calls over phone lines, and what it used of them today. */
  readCaps: LineCaps['read']
  /** Null in a process that dials no calls. */
  announce: Announce | null
}
