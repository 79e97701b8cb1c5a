import { type CliCommand, createCommand, parseId } from '../../create-command.ts'
import { reviewView } from '../../resources/review.ts'

/** `vaani kyc release` */
export const kycRelease: CliCommand = (cli) =>
  createCommand(cli, 'release')
    .description('Give a claimed review back to the queue')
    .argument('<verification_id>', 'id of the verification', parseId)
    .option('--reviewer <reference>', 'who claimed it, if the key is shared')
    .action(async (id, { reviewer }) => {
      const client = await cli.connect()
      const review = await client.reviews.release(id, { reviewer }, { signal: cli.signal })
      await cli.output.resource(review, reviewView(review))
    })
