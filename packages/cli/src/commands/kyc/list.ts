import { Option } from '@commander-js/extra-typings'
import { VERIFICATION_STATUSES } from '../../generated/choices.ts'
import { type CliCommand, createCommand } from '../../create-command.ts'
import { limitOption, pageOf } from '../../input/list-options.ts'
import { take } from '../../input/take.ts'

/** `vaani kyc list` */
export const kycList: CliCommand = (cli) =>
  createCommand(cli, 'list')
    .description('List verifications, newest first')
    .addOption(
      new Option('--status <status>', 'only verifications with this status').choices(VERIFICATION_STATUSES),
    )
    .option('--external-id <id>', 'only verifications of this person')
    .addOption(limitOption())
    .action(async ({ status, externalId, limit }) => {
      const client = await cli.connect()
      const query = { status, external_id: externalId, limit: pageOf(limit) }
      const verifications = client.identity.list(query, { signal: cli.signal })
      await cli.output.list(take(verifications, limit), {
        verification_id: (verification) => verification.verification_id,
        status: (verification) => verification.decision,
        external_id: (verification) => verification.external_id,
        created_at: (verification) => verification.created_at,
        reasons: ({ reasons = [] }) => reasons.map(({ code }) => code).join(' '),
      })
    })
