import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Parts of a plugin of Rolldown that are used here. */
interface Output {
  emitFile(file: { type: 'asset'; fileName: string; source: string }): void
}
type Bundle = Readonly<Record<string, { type: string; moduleIds?: readonly string[] }>>

/** Licences that ask for nothing, so that their packages may come without a text. */
const PUBLIC_DOMAIN: ReadonlySet<string> = new Set(['Unlicense', 'CC0-1.0'])

const FILE = 'THIRD-PARTY-LICENSES.md'

/**
 * A plugin of a bundle that writes the licences of the packages that are in it beside it, because each asks for that.
 *
 * @param beside - files that are copied beside the bundle, as their packages have them
 * @throws Error if a package has no licence, so that none is published without
 */
export const thirdPartyLicenses = (beside: readonly string[] = []) => ({
  name: 'third-party-licenses',
  generateBundle(this: Output, _options: unknown, bundle: Bundle) {
    const files = Object.values(bundle).flatMap(({ moduleIds = [] }) => moduleIds)
    this.emitFile({ type: 'asset', fileName: FILE, source: describe([...files, ...beside]) })
  },
})

function describe(files: readonly string[]): string {
  const folders = new Set(files.flatMap((file) => packageOf(file) ?? []))
  const found = Array.from(folders, (folder) => {
    const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
    return {
      name: `${name} ${version} (${license})`,
      text: PUBLIC_DOMAIN.has(license) ? '(dedicated to the public)' : licenseOf(folder),
    }
  }).toSorted((one, other) => one.name.localeCompare(other.name))
  const sections = Object.entries(Object.groupBy(found, ({ text }) => text)).map(
    ([text, owners = []]) => `## ${owners.map(({ name }) => name).join(', ')}\n\n\`\`\`\n${text}\n\`\`\`\n`,
  )
  return `# Licences of what is inside this package\n\n${sections.join('\n')}`
}

/** Returns the folder of the package that a module is from, or undefined if it is one of ours. */
function packageOf(file: string): string | undefined {
  const [, folder] = /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file) ?? []
  return folder
}

function licenseOf(folder: string): string {
  const names = readdirSync(folder).filter((name) => /^(licen[cs]e|notice|copying)/i.test(name))
  if (names.length === 0) throw new Error(`No licence in ${folder}`)
  return names.map((name) => readFileSync(path.join(folder, name), 'utf8').trim()).join('\n\n')
}
