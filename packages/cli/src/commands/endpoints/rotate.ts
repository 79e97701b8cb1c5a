import { InvalidArgumentError, Option } from '@commander-js/extra-typings'
import { SIGN_WITH } from '../../generated/choices.ts'
import { type CliCommand, createCommand, parseId } from '../../create-command.ts'

/** `vaani endpoints rotate` */
export const endpointsRotate: CliCommand = (cli) =>
  createCommand(cli, 'rotate')
    .description('Replace the secret of a webhook endpoint; the new one is printed once, on standard output')
    .argument('<endpoint_id>', 'id of the endpoint', parseId)
    .option(
      '--overlap <hours>',
      'time for which the previous secret still signs; 0 ends it at once',
      parseHours,
    )
    .addOption(
      new Option(
        '--sign-with <which>',
        'secret for X-Service-Signature during the overlap; webhook-signature has signatures of both',
      ).choices(SIGN_WITH),
    )
    .action(async (endpointId, { overlap, signWith }) => {
      const client = await cli.connect()
      const rotation = { overlap_hours: overlap, sign_with: signWith }
      const { signal } = cli
      await cli.output.resource(await client.webhooks.rotateSecret(endpointId, rotation, { signal }))
      await cli.output.note('Store the secret now: it is not shown again.')
    })

/** @throws InvalidArgumentError */
function parseHours(text: string): number {
  const hours = Number(text)
  if (!/^\d+(\.\d+)?$/.test(text) || hours > 168) throw new InvalidArgumentError('It must be 0 to 168.')
  return hours
}
