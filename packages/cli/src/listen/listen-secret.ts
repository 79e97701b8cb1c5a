import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { configFolder, type Machine } from '../config/config-folder.ts'
import { writePrivateFile } from '../config/private-file.ts'

const SECRET_BYTES = 24
/** A file that does not match is damaged, and is replaced. */
const SECRET = /^whsec_[\w+/=-]{32,}$/

/**
 * Returns the secret that signs forwarded deliveries. It stays the same between runs, so that a program is configured once.
 *
 * @returns `isKept: false` if the folder is not writable, so the secret is valid for this run only
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
