import { randomUUID } from 'node:crypto'
import { access, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type FileLock, lockFile } from './file-lock.ts'

/** A private folder that exists only as long as its process. */
export interface ProcessFolder extends AsyncDisposable {
  readonly path: string
  /** Removes the folders of processes that have ended. */
  sweep(): Promise<void>
}

const LOCK = '.lock'
/** Names created here: a folder and its lock file. */
const OURS = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?:\.lock)?$/
const CLAIM_ATTEMPTS = 10

/**
 * Creates a folder for this process in a directory that processes share, on one machine or several. First removes the folders
 * of ended processes, so that whatever a crash leaves behind is gone by the next start.
 *
 * @throws Error if the directory's file system has no locks
 */
export async function claimProcessFolder(directory: string): Promise<ProcessFolder> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await sweepEnded(directory)
  const { name, lock } = await claimName(directory)
  const folder = path.join(directory, name)
  await mkdir(folder, { mode: 0o700 })
  return {
    path: folder,
    sweep: () => sweepEnded(directory),
    async [Symbol.asyncDispose]() {
      await remove(directory, name)
      lock.release()
    },
  }
}

/** Takes the lock before the folder is created, because sweeps remove folders without a lock. */
async function claimName(directory: string): Promise<{ name: string; lock: FileLock }> {
  for (let attempt = 1; attempt <= CLAIM_ATTEMPTS; attempt++) {
    const name = randomUUID()
    const file = path.join(directory, name + LOCK)
    await writeFile(file, '', { flag: 'wx', mode: 0o600 })
    const lock = lockFile(file)
    // A sweep may have removed the file before it was locked.
    if (lock !== null && (await exists(file))) return { name, lock }
    lock?.release()
    await rm(file, { force: true })
  }
  throw new Error(`The file system of ${directory} has no file locks`)
}

async function sweepEnded(directory: string): Promise<void> {
  const names = new Set((await readdir(directory)).flatMap((entry) => OURS.exec(entry)?.[1] ?? []))
  for (const name of names) {
    const file = path.join(directory, name + LOCK)
    const lock = lockFile(file)
    if (lock === null && (await exists(file))) continue
    await remove(directory, name)
    lock?.release()
  }
}

/** Removes the lock file last, so that the folder counts as claimed until it is gone. */
async function remove(directory: string, name: string): Promise<void> {
  await rm(path.join(directory, name), { recursive: true, force: true })
  await rm(path.join(directory, name + LOCK), { force: true })
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )
