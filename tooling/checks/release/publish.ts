/** `pnpm release:publish`: builds, publishes each version that the registry lacks, and tags it. */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { addressOf } from '../metadata/package-metadata.ts'
import { readProject } from '../metadata/read-project.ts'
import { makeLinksAbsolute } from '../metadata/readme-links.ts'
import { readWorkspaces } from '../workspaces.ts'
import { buildClean } from './build-clean.ts'
import { runCommand } from './run-command.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const address = addressOf(readProject(root))
const published = readWorkspaces(root).filter(({ manifest }) => manifest.private !== true)

await buildClean(root, published)
const readmes = await Promise.all(
  published.map(async ({ directory, manifest }) => {
    const file = path.join(root, directory, 'README.md')
    const text = await readFile(file, 'utf8')
    const files = `${address}/blob/${manifest.name}@${manifest.version}`
    return { file, text, packed: makeLinksAbsolute(text, { directory, files }) }
  }),
)
// A tarball takes README.md from its folder, so replace each README while publishing.
try {
  await Promise.all(readmes.map(({ file, packed }) => writeFile(file, packed)))
  console.log(await runCommand('pnpm', ['exec', 'changeset', 'publish'], { cwd: root }))
} finally {
  await Promise.all(readmes.map(({ file, text }) => writeFile(file, text)))
}
