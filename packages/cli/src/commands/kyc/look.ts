import { Argument } from '@commander-js/extra-typings'
import { ARTIFACT_NAMES } from '../../generated/choices.ts'
import { type CliCommand, createCommand, parseId } from '../../create-command.ts'
import { openSink, STANDARD_OUTPUT } from '../../files/byte-sink.ts'

/** `vaani kyc look` */
export const kycLook: CliCommand = (cli) =>
  createCommand(cli, 'look')
    .description('Save a picture or the video of a verification; each look is recorded')
    .argument('<verification_id>', 'id of the verification', parseId)
    .addArgument(new Argument('<artifact>', 'what to look at').choices(ARTIFACT_NAMES))
    .requiredOption('--out <file>', 'file to write; - is standard output')
    .option('--reviewer <reference>', 'who looks, if the key is shared')
    .action(async (verificationId, artifact, { out, reviewer }) => {
      const client = await cli.connect()
      await using sink = await openSink(cli, out)
      let bytes = 0
      const query = { artifact, reviewer }
      for await (const chunk of await client.reviews.media(verificationId, query, { signal: cli.signal })) {
        bytes += chunk.length
        await sink.write(chunk)
      }
      await sink.commit()
      if (out !== STANDARD_OUTPUT)
        await cli.output.resource({ verification_id: verificationId, artifact, out, bytes })
    })
