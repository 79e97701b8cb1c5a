import { type CliCommand, createCommand, parseId } from '../../create-command.ts'

/** `vaani caller-ids add` */
export const callerIdsAdd: CliCommand = (cli) =>
  createCommand(cli, 'add')
    .description('Add a number that you vouch is the account’s; needs the key of an operator')
    .argument('<number>', 'the number in E.164, such as +9779812345678')
    .option('--account <account_id>', 'for another account', parseId)
    .action(async (number, { account }) => {
      const client = await cli.connect()
      const request = { phone_number: number, account_id: account }
      await cli.output.resource(await client.admin.addCallerId(request, { signal: cli.signal }))
    })
