import { type CliCommand, createCommand, parseId } from '../../create-command.ts'

/** `vaani deploy retrieve` */
export const deployRetrieve: CliCommand = (cli) =>
  createCommand(cli, 'retrieve')
    .description('Show a deployment without its license')
    .argument('<deployment_id>', 'id of the deployment', parseId)
    .action(async (deploymentId) => {
      const client = await cli.connect()
      await cli.output.resource(await client.deployments.retrieve(deploymentId, { signal: cli.signal }))
    })
