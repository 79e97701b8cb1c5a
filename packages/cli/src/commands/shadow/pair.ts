import { type CliCommand, createCommand, parseId } from '../../create-command.ts'
import { connectMigration } from '../../shadow/connect-migration.ts'

/** `vaani shadow pair` */
export const shadowPair: CliCommand = (cli) =>
  createCommand(cli, 'pair')
    .description('Read both sides of a pair, and how they compare')
    .argument('<pair_id>', 'id of the pair; alerts and `vaani shadow mismatches` name it', parseId)
    .action(async (pairId) => {
      const client = await connectMigration(cli)
      await cli.output.resource(await client.retrievePair(pairId, { signal: cli.signal }))
    })
