import { type CliCommand, createCommand } from '../../create-command.ts'
import { limitOption, pageOf } from '../../input/list-options.ts'
import { take } from '../../input/take.ts'
import { forAllOption } from './for-all-option.ts'

/** `vaani do-not-call list`, or `vaani do-not-call` */
export const doNotCallList: CliCommand = (cli) =>
  createCommand(cli, 'list')
    .description('List the numbers that are not called, newest first, or look one up')
    .option('--number <number>', 'show only this one, if it is on the list')
    .addOption(forAllOption())
    .addOption(limitOption())
    .action(async ({ number, forAll, limit }) => {
      const { doNotCall } = await cli.connect()
      const list = forAll === true ? doNotCall.listForAll : doNotCall.list
      const numbers = list({ limit: pageOf(limit), phone_number: number }, { signal: cli.signal })
      await cli.output.list(take(numbers, limit), {
        phone_number: (one) => one.phone_number,
        reason: (one) => one.reason,
        source: (one) => one.source,
        created_at: (one) => one.created_at,
      })
    })
