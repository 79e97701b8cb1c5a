import { type CliCommand, createCommand } from '../../create-command.ts'

/** `vaani kyc erase` */
export const kycErase: CliCommand = (cli) =>
  createCommand(cli, 'erase')
    .description(
      'Permanently erase a person: media, extracted data, notes and external id of all verifications',
    )
    .argument('<external_id>', 'your reference for the person')
    .action(async (externalId) => {
      const client = await cli.connect()
      await client.identity.eraseSubject(externalId, { signal: cli.signal })
      await cli.output.resource({ external_id: externalId, person: 'erased' })
    })
