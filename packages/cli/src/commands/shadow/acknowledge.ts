import { type CliCommand, createCommand, parseId } from '../../create-command.ts'
import { connectMigration } from '../../shadow/connect-migration.ts'

/** `vaani shadow acknowledge` */
export const shadowAcknowledge: CliCommand = (cli) =>
  createCommand(cli, 'acknowledge')
    .description('Close an open mismatch; it still counts as evidence')
    .argument('<pair_id>', 'id of the pair; `vaani shadow mismatches` lists them', parseId)
    .requiredOption('--note <text>', 'what you found out')
    .action(async (pairId, { note }) => {
      const client = await connectMigration(cli)
      await cli.output.resource(await client.acknowledgePair(pairId, { note }, { signal: cli.signal }))
    })
