import { type CliCommand, createCommand } from '../../create-command.ts'
import { forAllOption } from './for-all-option.ts'

/** `vaani do-not-call remove` */
export const doNotCallRemove: CliCommand = (cli) =>
  createCommand(cli, 'remove')
    .description('Take a number off the list: it can be called again')
    .argument('<number>', 'the number in E.164, such as +9779812345678')
    .addOption(forAllOption())
    .action(async (number, { forAll }) => {
      const { doNotCall } = await cli.connect()
      const [list, remove] =
        forAll === true ? [doNotCall.listForAll, doNotCall.removeForAll] : [doNotCall.list, doNotCall.remove]
      const { data } = await list({ phone_number: number }, { signal: cli.signal })
      for (const { listed_number_id } of data) await remove(listed_number_id, { signal: cli.signal })
      await cli.output.resource({ phone_number: number, removed: data.length > 0 })
    })
