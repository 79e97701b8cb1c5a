import { Option } from '@commander-js/extra-typings'
import { DEPLOYMENT_TARGETS, SYNTHESIS_MODELS } from '../../generated/choices.ts'
import { type CliCommand, createCommand, parseCount } from '../../create-command.ts'
import { createNewFile } from '../../files/new-file.ts'

/** The manifest contains the license. */
const PRIVATE_MODE = 0o600

/** `vaani deploy create` */
export const deployCreate: CliCommand = (cli) =>
  createCommand(cli, 'create')
    .description('Create a license and a manifest; both are shown once')
    .argument('<name>', 'name of the deployment: lower-case letters, digits and hyphens')
    .addOption(
      new Option('--model <model>', 'model that the license includes')
        .choices(SYNTHESIS_MODELS)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--target <target>', 'what runs the manifest')
        .choices(DEPLOYMENT_TARGETS)
        .default('docker' as const),
    )
    .option('--also <model...>', 'further models that the license includes')
    .option('--replicas <count>', 'servers that the manifest starts (default: 1)', parseCount)
    .option('--seats <count>', 'servers that may answer at a time (default: the replicas)', parseCount)
    .option('--days <count>', 'days until the license expires (default: 365)', parseCount)
    .option('--out <file>', 'write the manifest to a new file that only you can read, instead of printing it')
    .action(async (name, { model, target, also, replicas, seats, days, out }) => {
      const client = await cli.connect()
      // Another manifest there may be the only copy of its license and its server's encryption key.
      await using file =
        out === undefined ? undefined : await createNewFile(out, { mode: PRIVATE_MODE, replaces: false })
      const { manifest, ...deployment } = await client.deployments.create(
        {
          name,
          base_model: model,
          target,
          replicas,
          options: { seats, models: also, expires_in_days: days },
        },
        { signal: cli.signal },
      )
      if (file === undefined) await cli.output.resource({ ...deployment, manifest })
      else {
        await file.handle.writeFile(manifest)
        await file.commit()
        await cli.output.resource(deployment)
      }
      await cli.output.note('Store the license and the manifest now: they are not shown again.')
    })
