import { mkdir, open, readFile, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'

import { isAlive } from './is-alive.mjs'

const pollMs = 100
/** Longer than any install takes; guards against a process id that has been reused by another program. */
const staleAfterMs = 15 * 60_000

/**
 * Runs `work` while holding a machine-wide lock: a file with the holder's process id. Takes over the lock of a killed
 * process.
 *
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(file, work) {
  await mkdir(path.dirname(file), { recursive: true })
  while (!(await take(file))) {
    if (await isStale(file)) await rm(file, { force: true })
    else await sleep(pollMs)
  }
  try {
    return await work()
  } finally {
    await rm(file, { force: true })
  }
}

/** @param {string} file */
async function take(file) {
  try {
    const handle = await open(file, 'wx')
    await handle.writeFile(String(process.pid))
    await handle.close()
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** @param {string} file */
async function isStale(file) {
  try {
    if (Date.now() - (await stat(file)).mtimeMs > staleAfterMs) return true
    const holder = Number(await readFile(file, 'utf8'))
    // The file is empty for an instant, between its creation and its first write.
    return holder > 0 && !isAlive(holder)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
}

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
