import { type CliCommand, createCommand } from '../../create-command.ts'

/** `vaani requests summary` */
export const requestsSummary: CliCommand = (cli) =>
  createCommand(cli, 'summary')
    .description('Count the refused requests of the last 24 hours by error code and route')
    .action(async () => {
      const client = await cli.connect()
      const { groups } = await client.requests.summary({ signal: cli.signal })
      await cli.output.list(groups, {
        count: (one) => one.count,
        code: (one) => one.code,
        operation: (one) => one.operation,
        last_at: (one) => one.last_at,
        request_id: (one) => one.request_id,
      })
    })
