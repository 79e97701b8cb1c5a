import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { PublishedPackage } from './repository-copy.ts'
import { runCommand } from './run-command.ts'

const ENGINE = '@vaani/speech-espeak'

/** Checks that the installed server works, speaks English, and refuses other languages. */
const program = `import assert from 'node:assert/strict'
import { ApiError } from '@vaani/client'
import { startVaani } from '@vaani/testing'
await using vaani = await startVaani()
assert.ok((await vaani.client.agents.list()).data.length > 0)
const say = async (input, language) => {
  let bytes = 0
  for await (const chunk of vaani.client.speech.stream({ input, language }, { maxRetries: 0 })) bytes += chunk.length
  return bytes
}
assert.ok((await say('Good morning', 'en-US')) > 0)
await assert.rejects(say('नमस्ते', 'ne-NP'), (error) => error instanceof ApiError && error.status === 422)
`

/** Installs the server without its GPL part, as its README describes, and uses it. */
export async function installWithoutSpeech(options: {
  directory: string
  npmrc: string
  packages: readonly PublishedPackage[]
}): Promise<void> {
  const { directory, npmrc, packages } = options
  const wanted = new Set(['@vaani/server', '@vaani/testing', '@vaani/client'])
  const dependencies = packages.filter(({ name }) => wanted.has(name))
  const manifest = {
    private: true,
    dependencies: Object.fromEntries(dependencies.map(({ name, version }) => [name, version])),
    overrides: { [ENGINE]: '-' },
  }
  const write = (file: string, text: string): Promise<void> => writeFile(path.join(directory, file), text)
  await mkdir(directory)
  await write('package.json', JSON.stringify(manifest))
  await write('.npmrc', npmrc)
  await write('use.mjs', program)
  await runCommand('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: directory })
  if (existsSync(path.join(directory, 'node_modules', ENGINE))) throw new Error(`${ENGINE} was installed`)
  await runCommand(process.execPath, ['use.mjs'], { cwd: directory })
}
