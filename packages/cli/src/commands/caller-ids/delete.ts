import { type CliCommand, createCommand, parseId } from '../../create-command.ts'

/** `vaani caller-ids delete` */
export const callerIdsDelete: CliCommand = (cli) =>
  createCommand(cli, 'delete')
    .description('Remove a number; calls that wait to be dialled from it fail')
    .argument('<caller_id_id>', 'id of the caller id; `vaani caller-ids list` shows it', parseId)
    .action(async (callerIdId) => {
      const client = await cli.connect()
      await client.admin.removeCallerId(callerIdId, { signal: cli.signal })
      await cli.output.resource({ caller_id_id: callerIdId, deleted: true })
    })
