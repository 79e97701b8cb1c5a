import { type CliCommand, createCommand, parsePositive } from '../../create-command.ts'
import { createProgressBar } from '../../output/progress-bar.ts'
import { DEFAULT_WAIT_SECONDS, printDecision, viewOf } from '../../resources/verification.ts'

/** `vaani kyc submit` */
export const kycSubmit: CliCommand = (cli) =>
  createCommand(cli, 'submit')
    .description('Submit a document and a video of its holder')
    .requiredOption('--front <file>', 'front of the document: JPEG, PNG, WebP, HEIC or AVIF')
    .option('--back <file>', 'back of the document, unless it is single-sided')
    .requiredOption('--video <file>', 'liveness video: MP4, MOV or WebM, 3 to 10 seconds')
    .option('--external-id <id>', 'your stable reference for the person')
    .option('--wait', 'print each status until it is approved, declined or in review')
    .option('--timeout <seconds>', 'maximum time to wait', parsePositive, DEFAULT_WAIT_SECONDS)
    .action(async ({ front, back, video, externalId, wait, timeout }) => {
      const { environment, output, signal } = cli
      const client = await cli.connect()
      const submitted = await (async () => {
        using bar = createProgressBar(environment.stderr, { isShown: !output.isJson })
        return await client.identity.submit(
          { front_image: front, back_image: back, liveness_video: video, external_id: externalId },
          { signal, onProgress: bar.show },
        )
      })()
      if (!wait) return output.resource(submitted, viewOf(submitted))
      const { verification_id: id } = submitted
      await printDecision(cli, { client, id, first: submitted, forSeconds: timeout })
    })
