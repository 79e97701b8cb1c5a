import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { PublishedPackage } from './repository-copy.ts'
import { runCommand } from './run-command.ts'

const WORKER = '@vaani/kyc-shadow-worker'
/** Only the demo needs them, so a deployment must not have them. */
const NOT_NEEDED = ['@vaani/server', '@vaani/speech-espeak', '@vaani/identity-checks']

/** Checks that an app shadows without a worker as it does without the hook. */
const program = `import assert from 'node:assert/strict'
import { Vaani } from '@vaani/client'
import { shadowIdentity } from '${WORKER}'
const answer = { verification_id: 'ver_1', decision: 'pending' }
const vaani = new Vaani({ apiKey: 'sk_test_1', baseUrl: 'http://127.0.0.1:1', fetch: async () => Response.json(answer) })
const identity = shadowIdentity(vaani, { url: 'http://127.0.0.1:1', apiKey: 'sk_live_1' })
const media = new Uint8Array(3)
const given = await identity.submitV1({ front_image: media, back_image: media, liveness_video: media })
assert.equal(given.verification_id, 'ver_1')
await identity.shadow.flush()
assert.equal(identity.shadow.counts().dropped.unreachable, 1)
`

/** Installs the migration worker by itself, imports its hook, and runs its demo, which fetches the server. */
export async function useShadowWorker(options: {
  directory: string
  npmrc: string
  packages: readonly PublishedPackage[]
}): Promise<void> {
  const { directory, npmrc, packages } = options
  const version = packages.find(({ name }) => name === WORKER)?.version
  if (version === undefined) throw new Error(`${WORKER} was not published`)
  const write = (file: string, text: string): Promise<void> => writeFile(path.join(directory, file), text)
  await mkdir(directory)
  await write('package.json', JSON.stringify({ private: true, dependencies: { [WORKER]: version } }))
  await write('.npmrc', npmrc)
  await write('use.mjs', program)
  const environment = { npm_config_userconfig: path.join(directory, '.npmrc') }
  await runCommand('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: directory })
  const extra = NOT_NEEDED.filter((name) => existsSync(path.join(directory, 'node_modules', name)))
  if (extra.length > 0) throw new Error(`${WORKER} brings ${extra.join(', ')}`)
  await runCommand(process.execPath, ['use.mjs'], { cwd: directory })
  const told = await runCommand('npx', ['--no-install', 'kyc-shadow-worker', 'demo', '--fast', '--exit'], {
    cwd: directory,
    environment,
  })
  if (!told.includes('Read the report')) throw new Error(`The demo ended early:\n${told}`)
}
