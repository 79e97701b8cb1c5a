import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { configFolder, type Machine } from '../config/config-folder.ts'
import { writePrivateFile } from '../config/private-file.ts'

const SECRET_BYTES = 24
/** A damaged file is replaced. */
const SECRET = /^whsec_[\w+/=-]{32,}$/

/**
 * The secret that deliveries are handed on with. It stays the same from run to run, so that a program needs it once.
 *
 * @returns `isKept: false` for one of this run alone, if the folder cannot be written
 */
export async function listenSecret(machine: Machine): Promise<{ secret: string; isKept: boolean }> {
  const file = path.join(configFolder(machine), 'listen-secret')
  const kept = await readKept(file)
  if (kept !== undefined) return { secret: kept, isKept: true }
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
  try {
    await writePrivateFile(file, `${secret}\n`)
    return { secret, isKept: true }
  } catch (error) {
    if (!isFileError(error)) throw error
    return { secret, isKept: false }
  }
}

async function readKept(file: string): Promise<string | undefined> {
  try {
    const text = (await readFile(file, 'utf8')).trim()
    return SECRET.test(text) ? text : undefined
  } catch (error) {
    if (!isFileError(error)) throw error
    return undefined
  }
}

const isFileError = (error: unknown): boolean => error instanceof Error && 'syscall' in error
