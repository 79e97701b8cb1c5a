import { type CliCommand, createCommand } from '../../create-command.ts'
import { limitOption, pageOf } from '../../input/list-options.ts'
import { take } from '../../input/take.ts'

/** `vaani deploy list` */
export const deployList: CliCommand = (cli) =>
  createCommand(cli, 'list')
    .description('List deployments without their licenses, newest first')
    .addOption(limitOption())
    .action(async ({ limit }) => {
      const client = await cli.connect()
      const deployments = client.deployments.list({ limit: pageOf(limit) }, { signal: cli.signal })
      await cli.output.list(take(deployments, limit), {
        deployment_id: (one) => one.deployment_id,
        name: (one) => one.name,
        status: (one) => one.status,
        target: (one) => one.target,
        seats: (one) => one.seats,
        expires_at: (one) => one.expires_at,
        models: (one) => one.models.join(' '),
      })
    })
