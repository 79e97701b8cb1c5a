import { type CliCommand, createCommand, parseId } from '../../create-command.ts'
import { viewOf } from '../../resources/verification.ts'

/** `vaani kyc status` */
export const kycStatus: CliCommand = (cli) =>
  createCommand(cli, 'status')
    .description('Read a verification')
    .argument('<verification_id>', 'id of the verification', parseId)
    .option('--extracted', 'include the fields read from the document')
    .action(async (id, { extracted }) => {
      const client = await cli.connect()
      const query = extracted ? ({ include_media: 'extracted' } as const) : {}
      const verification = await client.identity.retrieve(id, query, { signal: cli.signal })
      await cli.output.resource(verification, viewOf(verification))
    })
