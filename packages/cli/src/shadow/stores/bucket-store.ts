import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Cli } from '../../cli.ts'
import { CliError } from '../../failure/cli-error.ts'
import { FILES, type FileField, MANIFEST, readManifest, RefusedLine } from '../manifest.ts'
import { isPlainKey, readBucketAddress } from './bucket-address.ts'
import { ObjectError } from './bucket-error.ts'
import { downloadObject } from './download-object.ts'
import type { SubmissionStore } from './submission-store.ts'

/** More than any image or video that the contract of identity verification allows. */
const MAX_FILE_BYTES = 50 * 1_048_576
const MAX_MANIFEST_BYTES = 1024 * 1_048_576

/**
 * Opens `s3://BUCKET/PREFIX`: downloads its manifest, and each file only when it is sent, into a folder that only this user can read.
 *
 * @throws CliError if the manifest cannot be read
 */
export async function openBucket(
  { environment, clock, signal }: Pick<Cli, 'environment' | 'clock' | 'signal'>,
  place: string,
): Promise<SubmissionStore> {
  const address = readBucketAddress(place, environment.variables)
  const { fetch = globalThis.fetch } = environment
  const keyOf = (relative: string): string => (address.prefix && `${address.prefix}/`) + relative
  const root = await mkdtemp(path.join(tmpdir(), 'vaani-replay-'))
  const remove = (folder: string) => rm(folder, { recursive: true, force: true })
  const download = (key: string, file: string, options: { maxBytes: number; signal: AbortSignal }) =>
    downloadObject({ address, key, file, clock, fetch, ...options })

  const manifest = path.join(root, MANIFEST)
  try {
    await download(keyOf(MANIFEST), manifest, { maxBytes: MAX_MANIFEST_BYTES, signal })
  } catch (error) {
    await remove(root)
    if (!(error instanceof ObjectError)) throw error
    throw new CliError(`${MANIFEST} cannot be read under this address: ${error.message}`, {
      family: error.isDenied ? 'access' : 'usage',
    })
  }

  return {
    lines: readManifest(manifest, async (field, relative) => {
      if (!isPlainKey(relative)) throw new RefusedLine(`${field} must be the rest of a key under the prefix`)
      return keyOf(relative)
    }),
    async hold(submission, ofRun) {
      const folder = await mkdtemp(path.join(root, 'line-'))
      const get = async (field: FileField): Promise<string> => {
        const file = path.join(folder, field)
        await download(submission[field], file, { maxBytes: MAX_FILE_BYTES, signal: ofRun }).catch(
          (error: unknown) => {
            throw error instanceof ObjectError ? new RefusedLine(`${field}: ${error.message}`) : error
          },
        )
        return file
      }
      try {
        const held = { ...submission }
        for (const field of FILES) held[field] = await get(field)
        return { submission: held, [Symbol.asyncDispose]: () => remove(folder) }
      } catch (error) {
        await remove(folder)
        throw error
      }
    },
    [Symbol.asyncDispose]: () => remove(root),
  }
}
