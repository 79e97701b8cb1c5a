import { Argument } from '@commander-js/extra-typings'
import { ARTIFACT_NAMES, MEDIA_PROBLEMS } from '../../generated/choices.ts'
import { type CliCommand, createCommand, parseId } from '../../create-command.ts'
import { reviewView } from '../../resources/review.ts'

/** `vaani kyc ask` */
export const kycAsk: CliCommand = (cli) =>
  createCommand(cli, 'ask')
    .description('Tell the person to send a picture or the video again; the review leaves the queue')
    .argument('<verification_id>', 'id of the verification', parseId)
    .addArgument(new Argument('<artifact>', 'what is needed again').choices(ARTIFACT_NAMES))
    .addArgument(new Argument('<problem>', 'what is wrong with it, for the person').choices(MEDIA_PROBLEMS))
    .option('--note <text>', 'note, visible to reviewers only')
    .option('--reviewer <reference>', 'who asks, if the key is shared')
    .action(async (id, artifact, problem, { note, reviewer }) => {
      const client = await cli.connect()
      const review = await client.reviews.ask(
        id,
        { artifact, problem, note, reviewer },
        { signal: cli.signal },
      )
      await cli.output.resource(review, reviewView(review))
    })
