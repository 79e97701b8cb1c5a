import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { VAULT_KEY_BYTES } from './vault.ts'

const FILE = 'encryption.key'

/**
 * The key of this data directory, made at the first start, for whoever configures none. It must be kept with the
 * database: without it the secrets in there cannot be read.
 */
export async function loadOrMakeKey(dataDirectory: string): Promise<Buffer> {
  const file = path.join(dataDirectory, FILE)
  const existing = await readKey(file)
  if (existing !== null) return existing
  await mkdir(dataDirectory, { recursive: true })
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  await writeFile(draft, `${randomBytes(VAULT_KEY_BYTES).toString('base64')}\n`, { mode: 0o600, flush: true })
  // Whole or not at all, and of several that start at once the first decides.
  await link(draft, file).catch((error: unknown) => {
    if (!isCode(error, 'EEXIST')) throw error
  })
  await rm(draft)
  const made = await readKey(file)
  if (made === null) throw new Error('The encryption key was removed as it was made')
  return made
}

async function readKey(file: string): Promise<Buffer | null> {
  try {
    const key = Buffer.from(await readFile(file, 'utf8'), 'base64')
    if (key.length !== VAULT_KEY_BYTES) throw new Error(`${FILE} in the data directory is damaged`)
    return key
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null
    throw error
  }
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code
