import type { Vaani, Verification } from '@vaani/client'
import { CliError } from '../failure/cli-error.ts'
import type { Cli } from '../cli.ts'
import { follow } from './follow.ts'

/** Seconds to wait for a decision. The service advises polling this long, and then using its webhook. */
export const DEFAULT_WAIT_SECONDS = 60
/** First and last polling interval that the service advises, in milliseconds. */
const INTERVALS_MS = [2000, 5000] as const
/** The service counts the reads of a verification and rejects more. */
const MAX_READS = 120

/** Returns a verification as shown to a person, with its reasons in words. */
export const viewOf = ({ decision: _, reasons = [], ...verification }: Verification): object => ({
  ...verification,
  reasons: reasons.map(({ message, next_step }) => `${message} ${next_step}`),
})

/**
 * Waits until the checks have decided, and prints each status.
 *
 * @throws StillPending
 * @throws CliError if the verification is declined, or a person must decide
 */
export async function printDecision(
  { clock, output, signal }: Cli,
  options: { client: Vaani; id: string; first?: Verification; forSeconds: number },
): Promise<void> {
  const { client, id, first, forSeconds } = options
  const decided = await follow(
    { clock, signal },
    {
      operation: 'identity.retrieve',
      id,
      ...(first && { first }),
      read: () => client.identity.retrieve(id, {}, { signal, maxRetries: 0 }),
      statusOf: ({ decision }) => decision,
      isFinal: (decision) => decision !== 'pending',
      onStatus: (verification) =>
        output.line(verification, `${verification.verification_id}  ${output.status(verification.decision)}`),
      forMs: forSeconds * 1000,
      intervalsMs: INTERVALS_MS,
      maxReads: MAX_READS,
    },
  )
  if (!output.isJson) await output.resource(decided, viewOf(decided))
  const failure = failureOf(decided)
  if (failure !== undefined) throw failure
}

/** Returns the error that ends a wait, unless approved: a script that continues after `&&` needs an approval. */
function failureOf({ decision, resubmit }: Verification): CliError | undefined {
  switch (decision) {
    case 'approved':
    case 'pending':
      return undefined
    case 'declined':
      return new CliError('the verification was declined', {
        family: 'unsuccessful',
        code: 'verification_declined',
      })
    case 'review':
      return new CliError(
        resubmit
          ? 'the person should send it again, as the reasons say; `vaani kyc review` decides this one'
          : 'a person must decide this verification: `vaani kyc review`, or wait for the webhook',
        { family: 'review', code: 'verification_in_review' },
      )
  }
}
