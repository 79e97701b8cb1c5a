import { type CliCommand, createCommand, parseId } from '../../create-command.ts'

/** `vaani keys revoke` */
export const keysRevoke: CliCommand = (cli) =>
  createCommand(cli, 'revoke')
    .description('Permanently revoke an API key')
    .argument('<key_id>', 'id of the key', parseId)
    .action(async (keyId) => {
      const client = await cli.connect()
      await cli.output.resource(await client.admin.revokeKey(keyId, { signal: cli.signal }))
    })
