import { Option } from '@commander-js/extra-typings'
import { CALL_STATUSES } from '../../generated/choices.ts'
import { type CliCommand, createCommand } from '../../create-command.ts'
import { limitOption, pageOf } from '../../input/list-options.ts'
import { take } from '../../input/take.ts'

/** `vaani call list` */
export const callList: CliCommand = (cli) =>
  createCommand(cli, 'list')
    .description('List calls, newest first')
    .addOption(new Option('--status <status>', 'only calls with this status').choices(CALL_STATUSES))
    .addOption(limitOption())
    .action(async ({ status, limit }) => {
      const client = await cli.connect()
      const calls = client.calls.list({ status, limit: pageOf(limit) }, { signal: cli.signal })
      await cli.output.list(take(calls, limit), {
        call_id: (call) => call.call_id,
        status: (call) => call.status,
        to: (call) => call.to,
        agent_id: (call) => call.agent_id,
        seconds: (call) => call.duration_seconds,
        created_at: (call) => call.created_at,
      })
    })
