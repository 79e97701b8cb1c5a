import { type CliCommand, createCommand } from '../../create-command.ts'
import { limitOption, pageOf } from '../../input/list-options.ts'
import { take } from '../../input/take.ts'

/** `vaani kyc subject` */
export const kycSubject: CliCommand = (cli) =>
  createCommand(cli, 'subject')
    .description('List the verifications of a person, newest first')
    .argument('<external_id>', 'your reference for the person')
    .addOption(limitOption())
    .action(async (externalId, { limit }) => {
      const client = await cli.connect()
      const page = { limit: pageOf(limit) }
      const verifications = client.identity.subject(externalId, page, { signal: cli.signal })
      await cli.output.list(take(verifications, limit), {
        verification_id: (verification) => verification.verification_id,
        status: (verification) => verification.decision,
        created_at: (verification) => verification.created_at,
        reasons: ({ reasons = [] }) => reasons.map(({ code }) => code).join(' '),
      })
    })
