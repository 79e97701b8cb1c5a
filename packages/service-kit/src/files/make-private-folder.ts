import { chmod, mkdir } from 'node:fs/promises'

/** Error codes of file systems without modes, and of folders that belong to another user. */
const NOT_CHANGEABLE = new Set(['EPERM', 'ENOTSUP'])

/** Creates a folder that only our user may enter. Also restricts a folder that an earlier version left open to others. */
export async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && NOT_CHANGEABLE.has(String(error.code)))) throw error
  })
}
