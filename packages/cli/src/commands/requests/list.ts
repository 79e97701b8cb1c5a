import { type CliCommand, createCommand, parseCount, parseId } from '../../create-command.ts'
import { limitOption, pageOf } from '../../input/list-options.ts'
import { take } from '../../input/take.ts'

/** `vaani requests list`, or `vaani requests` */
export const requestsList: CliCommand = (cli) =>
  createCommand(cli, 'list')
    .description('List refused requests, newest first')
    .option('--id <request_id>', 'only the request with this id')
    .option('--key <key_id>', 'only requests made with this key', parseId)
    .option('--operation <name>', 'only requests for this route, such as calls.place')
    .option('--status <status>', 'only requests with this status', parseCount)
    .option('--code <code>', 'only requests with this error code')
    .addOption(limitOption())
    .action(async ({ id, key, limit, ...filter }) => {
      const client = await cli.connect()
      const query = { ...filter, request_id: id, key_id: key, limit: pageOf(limit) }
      const refused = client.requests.list(query, { signal: cli.signal })
      await cli.output.list(take(refused, limit), {
        created_at: (one) => one.created_at,
        status: (one) => one.status,
        code: (one) => one.code,
        param: (one) => one.param,
        operation: (one) => one.operation,
        key_id: (one) => one.key_id,
        request_id: (one) => one.request_id,
      })
    })
