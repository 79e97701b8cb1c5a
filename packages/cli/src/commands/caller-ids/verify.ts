import { Option } from '@commander-js/extra-typings'
import { type CliCommand, createCommand } from '../../create-command.ts'
import { CALLER_ID_LANGUAGES } from '../../generated/choices.ts'

/** `vaani caller-ids verify` */
export const callerIdsVerify: CliCommand = (cli) =>
  createCommand(cli, 'verify')
    .description('Have a number of yours called; a voice says a code for `vaani caller-ids confirm`')
    .argument('<number>', 'the number in E.164, such as +9779812345678')
    .addOption(new Option('--language <language>', 'language of the call').choices(CALLER_ID_LANGUAGES))
    .action(async (number, { language }) => {
      const { callerIds } = await cli.connect()
      await cli.output.resource(
        await callerIds.start({ phone_number: number, language }, { signal: cli.signal }),
      )
    })
