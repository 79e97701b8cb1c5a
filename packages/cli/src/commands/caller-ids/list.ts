import { type CliCommand, createCommand, parseId } from '../../create-command.ts'
import { limitOption, pageOf } from '../../input/list-options.ts'
import { take } from '../../input/take.ts'

/** `vaani caller-ids list` */
export const callerIdsList: CliCommand = (cli) =>
  createCommand(cli, 'list')
    .description('List the numbers that calls can be placed from, and those being verified, newest first')
    .option('--account <account_id>', 'account to list, if not your own; needs an operator’s key', parseId)
    .addOption(limitOption())
    .action(async ({ account, limit }) => {
      const { admin, callerIds } = await cli.connect()
      const page = { limit: pageOf(limit) }
      const options = { signal: cli.signal }
      if (account === undefined)
        await cli.output.list(take(callerIds.list(page, options), limit), {
          caller_id_id: (callerId) => callerId.caller_id_id,
          phone_number: (callerId) => callerId.phone_number,
          status: (callerId) => callerId.failure_reason ?? callerId.status,
          source: (callerId) => callerId.source,
          verified_at: (callerId) => callerId.verified_at,
        })
      else
        await cli.output.list(take(admin.listCallerIds({ ...page, account_id: account }, options), limit), {
          caller_id_id: (callerId) => callerId.caller_id_id,
          phone_number: (callerId) => callerId.phone_number,
          account_id: (callerId) => callerId.account_id,
          verified_at: (callerId) => callerId.verified_at,
        })
    })
