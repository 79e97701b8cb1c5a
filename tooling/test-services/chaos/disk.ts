import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const SIZE_MIB = 512

/** The data folder of the servers. */
export interface Disk extends AsyncDisposable {
  directory: string
  /** Null if this process may not mount a file system of bounded size. */
  fill: (() => Promise<void>) | null
  empty(): Promise<void>
}

export async function mountDisk(): Promise<Disk> {
  const directory = await mkdtemp(path.join(tmpdir(), 'vaani-chaos-'))
  const ballast = path.join(directory, 'ballast')
  // As root, the user of an embedded Postgres has to pass.
  await chmod(directory, 0o755)
  const mounted = await run('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MIB}m`, 'tmpfs', directory]).then(
    () => true,
    () => false,
  )
  return {
    directory,
    fill: mounted
      ? async () => {
          const { bavail, bsize } = await statfs(directory)
          // Leave no more than a page free, so that nothing useful fits.
          await writeFile(ballast, Buffer.alloc(Math.max(0, bavail * bsize - 4096))).catch(() => undefined)
        }
      : null,
    empty: () => rm(ballast, { force: true }),
    async [Symbol.asyncDispose]() {
      if (mounted) await run('umount', ['-l', directory])
      await rm(directory, { recursive: true, force: true })
    },
  }
}
