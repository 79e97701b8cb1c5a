import { type CliCommand, createCommand, parseId } from '../../create-command.ts'

/** `vaani caller-ids confirm` */
export const callerIdsConfirm: CliCommand = (cli) =>
  createCommand(cli, 'confirm')
    .description('Enter the code that the call said; the number is verified then')
    .argument('<caller_id_id>', 'id that `vaani caller-ids verify` printed', parseId)
    .argument('<code>', 'the six digits')
    .action(async (callerIdId, code) => {
      const { callerIds } = await cli.connect()
      await cli.output.resource(await callerIds.verify(callerIdId, { code }, { signal: cli.signal }))
    })
