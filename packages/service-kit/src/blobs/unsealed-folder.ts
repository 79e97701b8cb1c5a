import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { claimProcessFolder, type ProcessFolder } from './process-folder.ts'

/** Folders in which earlier versions kept media in the clear, under names that outlived their processes. */
const FORMER = ['identity', 'recordings']

/** Claims the only place that holds pictures, videos and recordings in the clear: a folder of this process. */
export async function claimUnsealedFolder(dataDirectory: string): Promise<ProcessFolder> {
  // Open to the user of the embedded database, who has to pass.
  await mkdir(dataDirectory, { recursive: true })
  for (const name of FORMER) await rm(path.join(dataDirectory, name), { recursive: true, force: true })
  return claimProcessFolder(path.join(dataDirectory, 'unsealed'))
}
