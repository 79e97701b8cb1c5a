import { type CliCommand, createCommand, parseId } from '../../create-command.ts'
import { limitOption, pageOf } from '../../input/list-options.ts'
import { take } from '../../input/take.ts'

/** `vaani caller-ids list` */
export const callerIdsList: CliCommand = (cli) =>
  createCommand(cli, 'list')
    .description('List the numbers that calls can be placed from, newest first')
    .option('--account <account_id>', 'account to list, if not your own; needs an operator’s key', parseId)
    .addOption(limitOption())
    .action(async ({ account, limit }) => {
      const client = await cli.connect()
      const query = { account_id: account, limit: pageOf(limit) }
      const callerIds = client.admin.listCallerIds(query, { signal: cli.signal })
      await cli.output.list(take(callerIds, limit), {
        caller_id_id: (callerId) => callerId.caller_id_id,
        phone_number: (callerId) => callerId.phone_number,
        account_id: (callerId) => callerId.account_id,
        verified_at: (callerId) => callerId.verified_at,
      })
    })
