import { type CliCommand, createCommand, parseId } from '../../create-command.ts'
import { limitOption, pageOf } from '../../input/list-options.ts'
import { take } from '../../input/take.ts'

/** `vaani kyc history` */
export const kycHistory: CliCommand = (cli) =>
  createCommand(cli, 'history')
    .description('List who claimed, looked at, asked for, noted and decided what, newest first')
    .argument('<verification_id>', 'id of the verification', parseId)
    .addOption(limitOption())
    .action(async (id, { limit }) => {
      const client = await cli.connect()
      const entries = client.reviews.history(id, { limit: pageOf(limit) }, { signal: cli.signal })
      await cli.output.list(take(entries, limit), {
        created_at: ({ created_at }) => created_at,
        who: ({ reviewer, key_id }) => reviewer ?? key_id,
        what: ({ type, artifact, problem, decision }) =>
          [type, artifact, problem, decision].filter(Boolean).join(' '),
        reasons: ({ reasons }) => reasons.join(' '),
        note: ({ note }) => note,
      })
    })
