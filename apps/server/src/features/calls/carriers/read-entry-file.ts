import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { ConfigError } from '@vaani/service-kit/settings/define-settings'
import { CARRIERS_VARIABLE } from './carriers-file.ts'

/** Where a path of an entry is written: the entry's name, and the folder of the file with the carriers. */
export interface EntryPlace {
  readonly name: string
  readonly folder: string
}

/** Reads the file that a member of an entry names. @throws ConfigError that names the member */
export async function readEntryFile(
  { name, folder }: EntryPlace,
  member: string,
  file: string,
): Promise<string> {
  return readFile(path.resolve(folder, file), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError(`${CARRIERS_VARIABLE} carriers.${name}.${member} cannot be read (${error.code})`)
  })
}

/** Reads a secret, without the line break that editors end a file with. @throws ConfigError that names the member */
export async function readSecret(place: EntryPlace, member: string, file: string): Promise<string> {
  const secret = (await readEntryFile(place, member, file)).replace(/\r?\n$/, '')
  if (secret !== '') return secret
  throw new ConfigError(`${CARRIERS_VARIABLE} carriers.${place.name}.${member} is empty`)
}
