import { Option } from '@commander-js/extra-typings'
import { WAITING_FOR } from '../../generated/choices.ts'
import { type CliCommand, createCommand } from '../../create-command.ts'
import { limitOption, pageOf } from '../../input/list-options.ts'
import { take } from '../../input/take.ts'

/** `vaani kyc queue` */
export const kycQueue: CliCommand = (cli) =>
  createCommand(cli, 'queue')
    .description('List the verifications that wait for a reviewer, the oldest first')
    .addOption(new Option('--waiting-for <whom>', 'who has to act next').choices(WAITING_FOR))
    .option('--reason <code>', 'only those with this reason')
    .option('--policy <name>', 'only those of this policy')
    .option('--external-id <id>', 'only those of this person')
    .option('--claimed-by <reference>', 'only those that this reviewer, or the key with this id, works on')
    .option('--before <time>', 'only those submitted before this time, such as 2026-11-20T09:30:00Z')
    .option('--after <time>', 'only those submitted at or after this time')
    .addOption(limitOption('oldest'))
    .action(async ({ limit, waitingFor, reason, policy, externalId, claimedBy, before, after }) => {
      const client = await cli.connect()
      const query = {
        limit: pageOf(limit),
        waiting_for: waitingFor,
        reason,
        policy,
        external_id: externalId,
        claimed_by: claimedBy,
        created_before: before,
        created_after: after,
      }
      await cli.output.list(take(client.reviews.list(query, { signal: cli.signal }), limit), {
        verification_id: ({ verification }) => verification.verification_id,
        created_at: ({ verification }) => verification.created_at,
        due_at: ({ due_at }) => due_at,
        claimed_by: ({ claim }) => claim && (claim.reviewer ?? claim.key_id),
        votes: ({ votes, reviewers_needed }) => `${votes.length} of ${reviewers_needed}`,
        reasons: ({ verification: { reasons = [] } }) =>
          [...new Set(reasons.map(({ code }) => code))].join(' '),
      })
    })
