import { type CliCommand, createCommand, parseId, parsePositive } from '../../create-command.ts'
import { DEFAULT_WAIT_SECONDS, printDecision } from '../../resources/verification.ts'

/** `vaani kyc wait` */
export const kycWait: CliCommand = (cli) =>
  createCommand(cli, 'wait')
    .description('Print each status of a verification until it is approved, declined or in review')
    .argument('<verification_id>', 'id of the verification', parseId)
    .option('--timeout <seconds>', 'maximum time to wait', parsePositive, DEFAULT_WAIT_SECONDS)
    .action(async (id, { timeout }) => {
      await printDecision(cli, { client: await cli.connect(), id, forSeconds: timeout })
    })
