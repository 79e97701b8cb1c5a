import { isSamePerson } from './person.ts'
import type { EntryRow } from '../tables.ts'

const personOfEntry = ({ key_id, reviewer, vouched }: EntryRow) => ({
  keyId: key_id,
  reviewer,
  isVouched: vouched,
})

/** Returns the latest vote of each person, in their order. */
export const latestVotes = (votes: readonly EntryRow[]): EntryRow[] =>
  votes.filter(
    (vote, index) =>
      !votes.slice(index + 1).some((later) => isSamePerson(personOfEntry(later), personOfEntry(vote))),
  )

/** Whether as many people as needed agree on a decision. */
export const isAgreed = (
  votes: readonly EntryRow[],
  decision: NonNullable<EntryRow['decision']>,
  needed: number,
): boolean => latestVotes(votes).filter((vote) => vote.decision === decision).length >= needed
