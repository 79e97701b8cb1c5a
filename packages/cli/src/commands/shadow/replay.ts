import { CliError } from '../../failure/cli-error.ts'
import { type CliCommand, createCommand, parseCount } from '../../create-command.ts'
import { cellText } from '../../output/text.ts'
import { connectMigration } from '../../shadow/connect-migration.ts'
import { replay } from '../../shadow/replay.ts'
import { isBucketAddress } from '../../shadow/stores/bucket-address.ts'
import { openBucket } from '../../shadow/stores/bucket-store.ts'
import { openFolder } from '../../shadow/stores/folder-store.ts'

const DEFAULT_CONCURRENCY = 4

/** `vaani shadow replay` */
export const shadowReplay: CliCommand = (cli) =>
  createCommand(cli, 'replay')
    .description('Shadow stored submissions of a folder or a bucket; repeat it to resume an interrupted run')
    .argument('<place>', 'folder, or s3://BUCKET/PREFIX, with the files and manifest.jsonl')
    .option('--concurrency <count>', 'submissions at a time', parseCount, DEFAULT_CONCURRENCY)
    .addHelpText(
      'after',
      `
Each line of manifest.jsonl is a JSON object with the paths, inside the folder or after the prefix, front_image, back_image and
liveness_video, and with external_id, verification_id and answered_by (v1 or v2) if you have them.

A bucket takes the usual variables: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN for temporary credentials, AWS_REGION,
and AWS_ENDPOINT_URL_S3 for a service other than Amazon's. The credentials need s3:GetObject.`,
    )
    .action(async (place, { concurrency }) => {
      const { output, signal } = cli
      const client = await connectMigration(cli)
      await using store = await (isBucketAddress(place) ? openBucket(cli, place) : openFolder(place))
      const counts = { lines: 0, sampled: 0, not_sampled: 0, refused: 0 }
      await replay({
        client,
        store,
        concurrency,
        signal,
        async onResult(result) {
          counts.lines += 1
          if ('refused' in result) counts.refused += 1
          else counts[result.sampled ? 'sampled' : 'not_sampled'] += 1
          if (output.isJson) await output.line(result, '')
          else if ('refused' in result) await output.note(`line ${result.line}: ${cellText(result.refused)}`)
        },
      })
      if (!output.isJson) await output.resource(counts)
      if (counts.refused > 0)
        throw new CliError(`${counts.refused} of ${counts.lines} lines were refused`, {
          family: 'rejected',
          code: 'lines_refused',
        })
    })
