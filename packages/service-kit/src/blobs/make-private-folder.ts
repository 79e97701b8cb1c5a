import { chmod, mkdir } from 'node:fs/promises'

/** File systems without modes, and folders that somebody else made for us, refuse a change of the mode. */
const NOT_CHANGEABLE = new Set(['EPERM', 'ENOTSUP'])

/** Makes a folder that only our user may enter, also if an earlier version left it open to others. */
export async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && NOT_CHANGEABLE.has(String(error.code)))) throw error
  })
}
