import { createPlayedStretches } from './played-stretches.ts'
import type { PlayedStretch } from '../carrier.ts'

/** What the far end hears in each 20 ms of a call, which is settled only once it confirms it. It has no clock. */
export interface ConfirmedTimeline {
  /** Adds 20 ms: the number of the frame sent then, or null for silence. */
  add(sent: number | null): void
  /** Replaces frames before a number, which will never be heard, by silence. Returns whether there were any. */
  forget(before: number): boolean
  /** Settles everything up to the frame with this number as heard. */
  confirm(number: number): void
  /** Settles the rest as silence, and lists what was heard. */
  end(): PlayedStretch[]
  /** Number of entries that are not settled, from the oldest frame that is not confirmed. */
  readonly unsettled: number
}

/** Creates a timeline. `hear` gets each settled entry in order: the number of a frame, or null for silence. */
export function createConfirmedTimeline(hear: (sent: number | null) => void): ConfirmedTimeline {
  const stretches = createPlayedStretches()
  const unsettled: (number | null)[] = []
  let settled = 0

  const settle = (entry: number | null) => {
    if (entry !== null) stretches.add(entry, settled)
    settled += 1
    hear(entry)
  }
  const settleSilence = () => {
    while (unsettled[0] === null) settle(unsettled.shift() ?? null)
  }

  return {
    add(sent) {
      unsettled.push(sent)
      settleSilence()
    },
    forget(before) {
      const isForgotten = (entry: number | null) => entry !== null && entry < before
      if (!unsettled.some(isForgotten)) return false
      for (const [index, entry] of unsettled.entries()) if (isForgotten(entry)) unsettled[index] = null
      settleSilence()
      return true
    },
    confirm(number) {
      const confirmed = unsettled.splice(0, unsettled.indexOf(number) + 1)
      for (const entry of confirmed) settle(entry)
      settleSilence()
    },
    end() {
      for (const _ of unsettled.splice(0)) settle(null)
      return stretches.list()
    },
    get unsettled() {
      return unsettled.length
    },
  }
}
