import { type CliCommand, createCommand, parseId } from '../../create-command.ts'

/** `vaani deploy revoke` */
export const deployRevoke: CliCommand = (cli) =>
  createCommand(cli, 'revoke')
    .description('Permanently revoke a license, for servers that read the revocation list')
    .argument('<deployment_id>', 'id of the deployment', parseId)
    .action(async (deploymentId) => {
      const client = await cli.connect()
      await cli.output.resource(await client.deployments.revoke(deploymentId, { signal: cli.signal }))
    })
