import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeSync } from 'node:fs'
import { chmod, mkdtemp, open, rm, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A file system of a few megabytes that can be filled. */
export interface SmallVolume extends AsyncDisposable {
  directory: string
  /** Fills the volume to the last byte. */
  fill(): Promise<void>
  empty(): Promise<void>
}

const mount = (directory: string, megabytes: number) =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'none', directory])

/** The reason why no volume can be mounted here, or null if one can. */
export const cannotMount: string | null = (() => {
  const directory = mkdtempSync(path.join(tmpdir(), 'vaani-volume-'))
  try {
    const { status, stderr, error } = mount(directory, 1)
    if (status === 0) execFileSync('umount', [directory])
    return status === 0 ? null : (error?.message ?? String(stderr).trim())
  } finally {
    rmSync(directory, { recursive: true })
  }
})()

export async function mountSmallVolume(megabytes: number): Promise<SmallVolume> {
  const directory = await mkdtemp(path.join(tmpdir(), 'vaani-volume-'))
  const { status, stderr } = mount(directory, megabytes)
  if (status !== 0) throw new Error(`Cannot mount a volume: ${String(stderr)}`)
  // If the test runs as root, Postgres runs as another user.
  await chmod(directory, 0o755)
  const filler = path.join(directory, 'filler')
  return {
    directory,
    async fill() {
      await using file = await open(filler, 'a')
      for (const bytes of [1_048_576, 4096, 1]) writeUntilFull(file.fd, bytes)
    },
    empty: () => rm(filler, { force: true }),
    async [Symbol.asyncDispose]() {
      execFileSync('umount', ['--lazy', directory])
      await rmdir(directory)
    },
  }
}

function writeUntilFull(descriptor: number, bytes: number): void {
  const block = Buffer.alloc(bytes)
  try {
    for (;;) if (writeSync(descriptor, block) < bytes) return
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  }
}
