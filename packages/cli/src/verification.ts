import type { Vaani, Verification } from '@vaani/client'
import { CliError } from './cli-error.ts'
import type { Cli } from './cli.ts'

/** How long decisions are waited for, in seconds: as the service advises, then to wait for its webhook. */
export const DEFAULT_WAIT_SECONDS = 60

/** What a person sees of a verification: reasons in words. */
export const viewOf = ({ decision: _, reasons = [], ...verification }: Verification): object => ({
  ...verification,
  reasons: reasons.map(({ message, next_step }) => `${message} ${next_step}`),
})

/**
 * Waits for the decision and prints it.
 *
 * @throws StillPending
 * @throws CliError where it is declined
 */
export async function printDecision(
  { output, signal }: Cli,
  { client, id, forSeconds }: { client: Vaani; id: string; forSeconds: number },
): Promise<void> {
  const decided = await client.identity.waitForDecision(id, { forMs: forSeconds * 1000, signal })
  await output.resource(decided, viewOf(decided))
  if (decided.decision === 'declined')
    throw new CliError('the verification was declined', {
      family: 'unsuccessful',
      code: 'verification_declined',
    })
}
