import { Argument, Option } from '@commander-js/extra-typings'
import { REVIEW_DECISIONS, REVIEW_REASONS } from '../../generated/choices.ts'
import { type CliCommand, createCommand, parseId } from '../../create-command.ts'
import { viewOf } from '../../resources/verification.ts'

/** `vaani kyc review` */
export const kycReview: CliCommand = (cli) =>
  createCommand(cli, 'review')
    .description(
      'Decide a verification that is in review; the decision is final, unless the policy needs more people',
    )
    .argument('<verification_id>', 'id of the verification; `vaani kyc queue` lists them', parseId)
    .addArgument(new Argument('<decision>', 'your decision').choices(REVIEW_DECISIONS))
    .option('--note <text>', 'reason, visible to reviewers only')
    .addOption(new Option('--reason <code...>', 'why it is declined, for the person').choices(REVIEW_REASONS))
    .option('--reviewer <reference>', 'who decides, if the key is shared')
    .action(async (id, decision, { note, reason: reasons, reviewer }) => {
      const client = await cli.connect()
      const decided = await client.identity.review(
        id,
        { decision, note, reasons, reviewer },
        { signal: cli.signal },
      )
      await cli.output.resource(decided, viewOf(decided))
    })
