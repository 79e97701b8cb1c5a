import { type CliCommand, createCommand, parseId } from '../../create-command.ts'
import { CliError } from '../../failure/cli-error.ts'
import { reviewView } from '../../resources/review.ts'

/** `vaani kyc claim` */
export const kycClaim: CliCommand = (cli) =>
  createCommand(cli, 'claim')
    .description('Claim a review, by default the oldest that nobody works on, so that others leave it to you')
    .argument('[verification_id]', 'id of the verification; the next one if omitted', parseId)
    .option('--reviewer <reference>', 'who claims it, if the key is shared')
    .action(async (id, { reviewer }) => {
      const client = await cli.connect()
      const options = { signal: cli.signal }
      const { review } =
        id === undefined
          ? await client.reviews.claimNext({ reviewer }, options)
          : { review: await client.reviews.claim(id, { reviewer }, options) }
      if (review === null)
        throw new CliError('no review is waiting', { family: 'unsuccessful', code: 'no_review' })
      await cli.output.resource(review, reviewView(review))
    })
