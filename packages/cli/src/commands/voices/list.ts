import { type CliCommand, createCommand } from '../../create-command.ts'
import { limitOption, pageOf } from '../../input/list-options.ts'
import { take } from '../../input/take.ts'

/** `vaani voices list` */
export const voicesList: CliCommand = (cli) =>
  createCommand(cli, 'list')
    .description('List the cloned voices, newest first')
    .addOption(limitOption())
    .action(async ({ limit }) => {
      const client = await cli.connect()
      const voices = client.voices.list({ limit: pageOf(limit) }, { signal: cli.signal })
      await cli.output.list(take(voices, limit), {
        voice_id: (voice) => voice.voice_id,
        name: (voice) => voice.name,
        language: (voice) => voice.language,
        status: (voice) => voice.status,
        created_at: (voice) => voice.created_at,
      })
    })
