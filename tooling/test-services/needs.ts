import { existsSync, globSync } from 'node:fs'
import path from 'node:path'
import type { TestTagDefinition } from 'vitest/config'

import { hasContainerEngine } from './containers.ts'

/** Something that a machine may lack. A test that needs it has the tag of that name, and is skipped without it. */
interface Need {
  readonly name: string
  readonly isThere: boolean
  /** How to get it. */
  readonly mend: string
}

export const isOnPath = (program: string): boolean =>
  (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .some(
      (folder) => existsSync(path.join(folder, program)) || existsSync(path.join(folder, `${program}.exe`)),
    )

/** Lists what tests need besides the packages of this repository. */
export async function findNeeds({ chromium }: { chromium: boolean }): Promise<readonly Need[]> {
  const environment = process.env
  const containers = await hasContainerEngine()
  const installed = (program: string): Need => ({
    name: program,
    isThere: isOnPath(program),
    mend: `install ${program}`,
  })
  const named = (name: string, variable: string): Need => ({
    name,
    isThere: environment[variable] !== undefined,
    mend: `set ${variable} to a folder that holds what .ci/run installs there`,
  })
  return [
    installed('ffmpeg'),
    installed('sox'),
    installed('curl'),
    installed('redis-server'),
    installed('docker-compose'),
    installed('nginx'),
    installed('openssl'),
    installed('baresip'),
    installed('sipp'),
    installed('kamailio'),
    {
      name: 'kamailio-tls',
      isThere: isOnPath('kamailio') && globSync('/usr/lib/*/kamailio/modules/tls.so').length > 0,
      mend: 'install kamailio-tls-modules',
    },
    {
      name: 'rtpengine',
      isThere: isOnPath('rtpengine') && globSync('/usr/lib/*/kamailio/modules/rtpengine.so').length > 0,
      mend: 'install rtpengine-daemon and kamailio',
    },
    { name: 'chromium', isThere: chromium, mend: 'install chromium' },
    { name: 'containers', isThere: containers, mend: 'start Docker' },
    {
      name: 'redis',
      isThere: containers || environment['TEST_REDIS_URL'] !== undefined || isOnPath('redis-server'),
      mend: 'install redis-server or start Docker',
    },
    named('engines', 'VAANI_TEST_ENGINES'),
    named('runtimes', 'VAANI_TEST_RUNTIMES'),
  ]
}

/** Tags of the configuration, which skip the tests whose need is missing. */
export const tagsOf = (needs: readonly Need[]): TestTagDefinition[] =>
  needs.map(({ name, isThere, mend }) => ({ name, description: mend, ...(!isThere && { skip: true }) }))
