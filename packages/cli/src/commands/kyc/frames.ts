import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type CliCommand, createCommand, parseId } from '../../create-command.ts'

/** `vaani kyc frames` */
export const kycFrames: CliCommand = (cli) =>
  createCommand(cli, 'frames')
    .description('Save frames of the video, two a second; the look is recorded')
    .argument('<verification_id>', 'id of the verification', parseId)
    .requiredOption('--out <folder>', 'folder for the JPEGs, named by their milliseconds; it is created')
    .option('--reviewer <reference>', 'who looks, if the key is shared')
    .action(async (id, { out, reviewer }) => {
      const client = await cli.connect()
      const { frames } = await client.reviews.frames(id, { reviewer }, { signal: cli.signal })
      // Of a person, so for the user alone.
      await mkdir(out, { recursive: true, mode: 0o700 })
      for (const { time_ms, image_b64 } of frames) {
        const name = `${String(Math.round(time_ms)).padStart(5, '0')}.jpg`
        await writeFile(path.join(out, name), Buffer.from(image_b64, 'base64'), { mode: 0o600 })
      }
      await cli.output.resource({ verification_id: id, out, frames: frames.length })
    })
