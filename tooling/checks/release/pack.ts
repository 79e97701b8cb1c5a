/**
 * `npm run pack`: builds the published packages and packs each into a file in `packed/`, for installing in other projects
 * before they are on a registry. `npm run pack -- testing` packs one of them and those that it needs. The last line that it
 * prints is the command that installs them.
 */
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { readWorkspaces } from '../workspaces.ts'
import { buildClean } from './build-clean.ts'
import { runCommand } from './run-command.ts'
import { withNeeded } from './with-needed.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const folder = path.join(root, 'packed')

const published = readWorkspaces(root).filter(({ manifest }) => manifest.private !== true)
const wanted = process.argv.slice(2).map((name) => `@vaani/${name}`)
const unknown = wanted.filter((name) => !published.some(({ manifest }) => manifest.name === name))
if (unknown.length > 0) throw new Error(`${unknown.join(', ')}: no published package has this name`)
const named = published.filter(({ manifest }) => wanted.length === 0 || wanted.includes(manifest.name))
const packages = withNeeded(named, published)

await mkdir(folder, { recursive: true })
await buildClean(root, packages)
const files: string[] = []
for (const { directory, manifest } of packages) {
  const file = `${manifest.name.replace('@', '').replace('/', '-')}.tgz`
  await runCommand('pnpm', ['pack', '--out', path.join(folder, file)], { cwd: path.join(root, directory) })
  console.log(`packed/${file}`)
  files.push(path.join(folder, file))
}
console.log(`In your project: npm install ${files.map((file) => JSON.stringify(file)).join(' ')}`)
