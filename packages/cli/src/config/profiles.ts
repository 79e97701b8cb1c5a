import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { usageError } from '../failure/cli-error.ts'
import { isMissing } from '../files/is-missing.ts'
import { configFolder, type Machine } from './config-folder.ts'
import { PROFILES_FOLDER, readStored } from './credentials.ts'
import { currentProfileFile, DEFAULT_PROFILE, isProfileName, profileName } from './profile-name.ts'
import { writePrivateFile } from './private-file.ts'

/** A profile, without its key. */
export interface Profile {
  readonly profile: string
  readonly base_url: string
  /** Whether commands use it by default. */
  readonly current: boolean
}

/** Returns the profiles that have a key, sorted by name. */
export async function readProfiles(machine: Machine): Promise<Profile[]> {
  const current = await profileName(machine, undefined)
  const profiles: Profile[] = []
  for (const profile of [DEFAULT_PROFILE, ...(await listNames(machine))].toSorted()) {
    const stored = await readStored(machine, profile)
    if (stored) profiles.push({ profile, base_url: stored.baseUrl, current: profile === current })
  }
  return profiles
}

/** Makes later commands use a profile. @throws CliError if it has no key */
export async function useProfile(machine: Machine, named: string): Promise<void> {
  const profile = await profileName(machine, named)
  if ((await readStored(machine, profile)) === undefined)
    throw usageError(`the profile ${profile} has no key: run \`vaani login --profile ${profile}\``)
  await writePrivateFile(currentProfileFile(machine), `${profile}\n`)
}

async function listNames(machine: Machine): Promise<string[]> {
  try {
    const files = await readdir(path.join(configFolder(machine), PROFILES_FOLDER))
    return files.map((file) => path.basename(file, '.json')).filter(isProfileName)
  } catch (error) {
    if (!isMissing(error)) throw error
    return []
  }
}
