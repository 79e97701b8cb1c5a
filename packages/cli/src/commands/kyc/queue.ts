import { type CliCommand, createCommand } from '../../create-command.ts'
import { limitOption, pageOf } from '../../input/list-options.ts'
import { take } from '../../input/take.ts'

/** `vaani kyc queue` */
export const kycQueue: CliCommand = (cli) =>
  createCommand(cli, 'queue')
    .description('List the verifications that wait for a reviewer, the oldest first')
    .addOption(limitOption('oldest'))
    .action(async ({ limit }) => {
      const client = await cli.connect()
      const reviews = client.reviews.list({ limit: pageOf(limit) }, { signal: cli.signal })
      await cli.output.list(take(reviews, limit), {
        verification_id: ({ verification }) => verification.verification_id,
        created_at: ({ verification }) => verification.created_at,
        claimed_by: ({ claim }) => claim && (claim.reviewer ?? claim.key_id),
        votes: ({ votes, reviewers_needed }) => `${votes.length} of ${reviewers_needed}`,
        reasons: ({ verification: { reasons = [] } }) =>
          [...new Set(reasons.map(({ code }) => code))].join(' '),
      })
    })
