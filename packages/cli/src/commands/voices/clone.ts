import { usageError } from '../../failure/cli-error.ts'
import { type CliCommand, createCommand } from '../../create-command.ts'
import { createProgressBar } from '../../output/progress-bar.ts'

/** `vaani voices clone` */
export const voicesClone: CliCommand = (cli) =>
  createCommand(cli, 'clone')
    .description('Make a voice of 1 to 5 recordings of one speaker, 3 to 60 seconds each')
    .argument('<files...>', 'recordings: WAV, MP3, Ogg, FLAC, M4A or WebM')
    .requiredOption('--name <name>', 'name of the voice')
    .option('--language <tag>', 'language of the recordings, such as ne-NP')
    .option('--consent', 'confirm that the speaker consents to this voice; required')
    .action(async (samples, { name, language, consent }) => {
      if (consent !== true) throw usageError('the speaker must consent: confirm it with --consent')
      const { environment, output, signal } = cli
      const client = await cli.connect()
      const voice = await (async () => {
        using bar = createProgressBar(environment.stderr, { isShown: !output.isJson })
        return await client.voices.clone(
          { name, language, consent, samples },
          { signal, onProgress: bar.show },
        )
      })()
      await output.resource(voice)
    })
