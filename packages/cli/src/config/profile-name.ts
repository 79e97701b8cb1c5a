import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { usageError } from '../failure/cli-error.ts'
import { isMissing } from '../files/is-missing.ts'
import { configFolder, type Machine } from './config-folder.ts'

export const DEFAULT_PROFILE = 'default'
/** Lower case, because it names a file and some file systems ignore case. */
const NAME = /^[a-z0-9][a-z0-9_-]{0,31}$/

export const isProfileName = (text: string): boolean => NAME.test(text)

/** Returns the file that contains the name given to `profiles use`. */
export const currentProfileFile = (machine: Machine): string =>
  path.join(configFolder(machine), 'current-profile')

/**
 * Returns the profile to use: the named one, else the one in `VAANI_PROFILE`, else the one chosen by `profiles use`.
 *
 * @throws CliError if the name is malformed
 */
export async function profileName(machine: Machine, named: string | undefined): Promise<string> {
  const name = named ?? (machine.variables['VAANI_PROFILE'] || (await readCurrent(machine)))
  if (!isProfileName(name))
    throw usageError('a profile name has 1 to 32 of a-z, 0-9, _ and -, and begins with a letter or digit')
  return name
}

async function readCurrent(machine: Machine): Promise<string> {
  try {
    return (await readFile(currentProfileFile(machine), 'utf8')).trim()
  } catch (error) {
    if (!isMissing(error)) throw error
    return DEFAULT_PROFILE
  }
}
