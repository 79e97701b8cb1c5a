import type { Policy } from '@vaani/identity-checks'

const HOUR_MS = 3_600_000

/** Returns when a review should be decided; null if its policy sets no time. It counts from the submission, as the person does. */
export const dueAt = ({ reviewWithinHours }: Policy, createdAt: Date): Date | null =>
  reviewWithinHours === null ? null : new Date(createdAt.getTime() + reviewWithinHours * HOUR_MS)

/** Returns the time before which reviews of a policy were submitted that are overdue now. */
export const overdueBefore = ({ reviewWithinHours }: Policy, nowMs: number): number | null =>
  reviewWithinHours === null ? null : nowMs - reviewWithinHours * HOUR_MS
