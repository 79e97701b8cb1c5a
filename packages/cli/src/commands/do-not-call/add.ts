import { type CliCommand, createCommand } from '../../create-command.ts'
import { forAllOption } from './for-all-option.ts'

/** `vaani do-not-call add` */
export const doNotCallAdd: CliCommand = (cli) =>
  createCommand(cli, 'add')
    .description('Put a number on the list: it is not called from then on')
    .argument('<number>', 'the number in E.164, such as +9779812345678')
    .option('--reason <text>', 'why it is not to be called')
    .addOption(forAllOption())
    .action(async (number, { reason, forAll }) => {
      const { doNotCall } = await cli.connect()
      const add = forAll === true ? doNotCall.addForAll : doNotCall.add
      await cli.output.resource(await add({ phone_number: number, reason }, { signal: cli.signal }))
    })
