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

/** Returns the votes of the people who agree on a decision. */
export const votesFor = (
  decision: NonNullable<EntryRow['decision']>,
  votes: readonly EntryRow[],
): EntryRow[] => latestVotes(votes).filter((vote) => vote.decision === decision)
