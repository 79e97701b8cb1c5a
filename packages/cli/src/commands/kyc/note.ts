import { type CliCommand, createCommand, parseId } from '../../create-command.ts'

/** `vaani kyc note` */
export const kycNote: CliCommand = (cli) =>
  createCommand(cli, 'note')
    .description('Add a note for reviewers, which is erased with the media')
    .argument('<verification_id>', 'id of the verification', parseId)
    .argument('<text>', 'the note')
    .option('--reviewer <reference>', 'who writes it, if the key is shared')
    .action(async (id, note, { reviewer }) => {
      const client = await cli.connect()
      await cli.output.resource(await client.reviews.addNote(id, { note, reviewer }, { signal: cli.signal }))
    })
