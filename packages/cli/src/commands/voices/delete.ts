import { type CliCommand, createCommand, parseId } from '../../create-command.ts'

/** `vaani voices delete` */
export const voicesDelete: CliCommand = (cli) =>
  createCommand(cli, 'delete')
    .description('Erase a voice and the recordings that it was made of')
    .argument('<voice_id>', 'id of the voice; `vaani voices list` shows it', parseId)
    .action(async (voiceId) => {
      const client = await cli.connect()
      await client.voices.remove(voiceId, { signal: cli.signal })
      await cli.output.resource({ voice_id: voiceId, deleted: true })
    })
