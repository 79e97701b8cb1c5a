import { type CliCommand, createCommand, parseId } from '../../create-command.ts'

/** `vaani caller-ids add` */
export const callerIdsAdd: CliCommand = (cli) =>
  createCommand(cli, 'add')
    .description('Add a number that you confirm belongs to the account; needs an operator’s key')
    .argument('<number>', 'the number in E.164, such as +9779812345678')
    .option('--account <account_id>', 'account to add it to, if not your own', parseId)
    .action(async (number, { account }) => {
      const client = await cli.connect()
      const request = { phone_number: number, account_id: account }
      await cli.output.resource(await client.admin.addCallerId(request, { signal: cli.signal }))
    })
