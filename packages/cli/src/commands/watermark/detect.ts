import type { WatermarkDetection } from '@vaani/client'
import { CliError } from '../../failure/cli-error.ts'
import { type CliCommand, createCommand } from '../../create-command.ts'
import { createProgressBar } from '../../output/progress-bar.ts'

/** Value of the argument for standard input. */
const STANDARD_INPUT = '-'

/** `vaani watermark detect` */
export const watermarkDetect: CliCommand = (cli) =>
  createCommand(cli, 'detect')
    .description('Search a recording for the watermark, and find the request that made the speech')
    .argument('<file>', 'WAV, MP3, Ogg, FLAC, M4A or WebM; - reads it from standard input')
    .addHelpText(
      'after',
      '\nEnds with 10 if no watermark is detected, which does not prove that there was none.',
    )
    .action(async (file) => {
      const { environment, output, signal } = cli
      const client = await cli.connect()
      const detection = await (async () => {
        using bar = createProgressBar(environment.stderr, { isShown: !output.isJson })
        return await client.watermark.detect(
          { audio: file === STANDARD_INPUT ? environment.stdin : file },
          { signal, onProgress: bar.show },
        )
      })()
      await output.resource(detection)
      if (!detection.detected)
        throw new CliError('no watermark was detected', {
          family: 'unsuccessful',
          code: 'watermark_not_detected',
        })
      const why = whyNoRequest(detection)
      if (why !== undefined) await output.note(why)
    })

function whyNoRequest({ payload_read, request_id }: WatermarkDetection): string | undefined {
  if (request_id !== null) return undefined
  return payload_read
    ? 'The request belongs to another account or mode, or is older than the server keeps them.'
    : 'The request could not be read: a longer part of the recording may show it.'
}
