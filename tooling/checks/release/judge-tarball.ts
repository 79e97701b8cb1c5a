import { stat } from 'node:fs/promises'
import path from 'node:path'
import { relativeLinks } from '../metadata/readme-links.ts'
import type { PublishedPackage } from './repository-copy.ts'
import { runCommand } from './run-command.ts'

/** Maximum size of each tarball in kB: its current size plus a tenth. A package without a row fails. */
const MAX_KB: Readonly<Record<string, number>> = {
  '@vaani/chat': 63,
  '@vaani/cli': 66,
  '@vaani/client': 110,
  '@vaani/contracts': 294,
  '@vaani/identity-checks': 2250,
  '@vaani/kyc-shadow-worker': 420,
  '@vaani/pcm-audio': 100,
  '@vaani/server': 1526,
  '@vaani/speech': 252,
  '@vaani/speech-espeak': 31,
  '@vaani/speech-flite': 20,
  '@vaani/speech-openai': 16,
  '@vaani/speech-sherpa': 19,
  '@vaani/telephony': 29,
  '@vaani/telephony-media-streams': 36,
  '@vaani/telephony-sip': 117,
  '@vaani/testing': 18,
  '@vaani/turns': 12,
  '@vaani/voice-silero': 11,
  '@vaani/webhook-verifier': 31,
}

const REQUIRED = ['package/README.md', 'package/LICENSE', 'package/CHANGELOG.md']
/** Tests under `examples/` are for readers. */
const FORBIDDEN = /^package\/(?!examples\/).*\.(test|e2e|bench)\.|\.tsbuildinfo$|\/\.env/
/** Loaded by their address, not imported. */
const ASSETS = ['player-worklet.js', 'microphone-worklet.js', 'resampler.wasm']

/** @throws Error that describes the problem of the tarball */
export async function judgeTarball(options: {
  tools: string
  tarball: string
  published: PublishedPackage
}): Promise<void> {
  const { tools, tarball, published } = options
  const { name } = published
  const cwd = path.dirname(tarball)
  const maxKb = MAX_KB[name]
  const { size } = await stat(tarball)
  if (maxKb === undefined || size > maxKb * 1000)
    throw new Error(`${name} has ${Math.ceil(size / 1000)} kB, and its limit is ${maxKb ?? 'missing'}`)
  const files = (await runCommand('tar', ['-tzf', tarball], { cwd })).split('\n')
  const missing = REQUIRED.filter((file) => !files.includes(file))
  const strays = files.filter((file) => FORBIDDEN.test(file))
  if (missing.length + strays.length > 0)
    throw new Error(`${name} lacks [${missing.join(', ')}] and should not have [${strays.join(', ')}]`)
  const manifest = await runCommand('tar', ['-xzOf', tarball, 'package/package.json'], { cwd })
  if (/"(workspace|catalog|link|file):/.test(manifest))
    throw new Error(`${name} has a dependency that exists only in this repository`)
  if (/"(vaani-source|devDependencies)":/.test(manifest))
    throw new Error(`${name} publishes fields that only this repository uses; see .pnpmfile.mjs`)
  const links = relativeLinks(await runCommand('tar', ['-xzOf', tarball, 'package/README.md'], { cwd }))
  if (links.length > 0)
    throw new Error(`The README of ${name} has links that are broken on npm: ${links.join(', ')}`)
  const tool = (file: string, ...parameters: string[]) =>
    runCommand(process.execPath, [path.join(tools, file), ...parameters], { cwd })
  await tool('publint/src/cli.js', tarball, '--strict')
  const types = '@arethetypeswrong/cli/dist/index.js'
  await tool(types, tarball, '--format', 'ascii', '--exclude-entrypoints', ...ASSETS)
}
