import type { Review } from '@vaani/client'
import { viewOf } from './verification.ts'

/** Returns a review as shown to a person: what was measured of each check that did not pass, and who works on it. */
export const reviewView = ({
  verification,
  checks,
  media,
  votes,
  reviewers_needed,
  claim,
  due_at,
  waiting_for,
}: Review): object => ({
  ...viewOf(verification),
  checks: checks
    .filter(({ outcome }) => outcome !== 'passed')
    .map(({ check, outcome, code, evidence, places = [] }) => {
      const measured = Object.entries(evidence).map(([name, value]) => `${name} ${value}`)
      const found = places.map(
        ({ artifact, what, corners }) =>
          `${what} at ${corners.map(({ x, y }) => `${x},${y}`).join(' ')} of ${artifact}`,
      )
      return [`${check} ${outcome}: ${code}`, ...measured, ...found].join(', ')
    }),
  media: media.map(({ artifact }) => artifact).join(' '),
  due_at,
  waiting_for,
  claimed_by: claim && (claim.reviewer ?? claim.key_id),
  votes: `${votes.length} of ${reviewers_needed}`,
})
