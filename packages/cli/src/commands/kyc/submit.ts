import { type CliCommand, createCommand, parsePositive } from '../../create-command.ts'
import { createProgressBar } from '../../output/progress-bar.ts'
import { DEFAULT_WAIT_SECONDS, printDecision, viewOf } from '../../verification.ts'

/** `vaani kyc submit` */
export const kycSubmit: CliCommand = (cli) =>
  createCommand(cli, 'submit')
    .description('Submit a document and a video of its holder')
    .requiredOption('--front <file>', 'front of the document: JPEG, PNG or WebP')
    .option('--back <file>', 'its back; not needed where all is on one side')
    .requiredOption('--video <file>', 'MP4, MOV or WebM of 3 to 10 seconds')
    .option('--external-id <id>', 'your stable reference of the person')
    .option('--wait', 'wait for the decision')
    .option('--timeout <seconds>', 'how long to wait at most', parsePositive, DEFAULT_WAIT_SECONDS)
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
      if (!wait || output.isJson) await output.resource(submitted, viewOf(submitted))
      if (!wait) return
      await output.note(`Submitted as ${submitted.verification_id}; waiting for the decision`)
      await printDecision(cli, { client, id: submitted.verification_id, forSeconds: timeout })
    })
