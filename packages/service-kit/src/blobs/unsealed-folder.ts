import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { claimProcessFolder, type ProcessFolder } from './process-folder.ts'

/** Folders in which earlier versions kept unencrypted media, under names that outlived their processes. */
const FORMER = ['identity', 'recordings']

/** Claims a folder of this process, the only place for unencrypted images, videos and recordings. */
export async function claimUnsealedFolder(dataDirectory: string): Promise<ProcessFolder> {
  // Not private, because the user of the embedded database must be able to pass.
  await mkdir(dataDirectory, { recursive: true })
  for (const name of FORMER) await rm(path.join(dataDirectory, name), { recursive: true, force: true })
  return claimProcessFolder(path.join(dataDirectory, 'unsealed'))
}
