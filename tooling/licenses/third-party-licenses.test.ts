import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { thirdPartyLicenses } from './third-party-licenses.ts'

/** Returns what the plugin writes beside a bundle of these modules. */
function licensesOf(moduleIds: readonly string[], beside?: readonly string[]): string | undefined {
  let written: string | undefined
  const output = { emitFile: ({ source }: { source: string }) => void (written = source) }
  thirdPartyLicenses(beside).generateBundle.call(output, {}, { 'main.js': { type: 'chunk', moduleIds } })
  return written
}

async function makePackages(
  packages: Readonly<Record<string, string | null>>,
  license = 'MIT',
): Promise<string> {
  const folder = await mkdtempDisposable(path.join(tmpdir(), 'vaani-licenses-'))
  onTestFinished(() => folder[Symbol.asyncDispose]())
  for (const [name, text] of Object.entries(packages)) {
    const at = path.join(folder.path, 'node_modules', name)
    await mkdir(at, { recursive: true })
    await writeFile(path.join(at, 'package.json'), JSON.stringify({ name, version: '1.0.0', license }))
    if (text !== null) await writeFile(path.join(at, 'LICENCE.md'), `${text}\n`)
  }
  return folder.path
}

describe('the licences beside a bundle', () => {
  test('are those of each package once, and the same text once', async () => {
    const folder = await makePackages({
      '@one/a': 'By one',
      '@one/b': 'By one',
      two: 'By two',
      viewer: 'Theirs',
    })
    const inside = (file: string) => path.join(folder, 'node_modules', file)
    const modules = [
      inside('@one/a/x.js'),
      inside('@one/a/y.js'),
      `\0${inside('@one/b/x.js')}`,
      inside('two/x.js'),
    ]
    const written = licensesOf(
      [...modules, path.join(folder, 'src/ours.ts')],
      [inside('viewer/dist/viewer.js')],
    )
    expect(written?.match(/^## .*$/gm)).toEqual([
      '## @one/a 1.0.0 (MIT), @one/b 1.0.0 (MIT)',
      '## two 1.0.0 (MIT)',
      '## viewer 1.0.0 (MIT)',
    ])
    expect(written).toContain('By two')
  })

  test('are missed, if a package has none', async () => {
    const folder = await makePackages({ bare: null })
    const module = path.join(folder, 'node_modules/bare/index.js')
    expect(() => licensesOf([module])).toThrow(`No licence in ${path.dirname(module)}`)
  })

  test('may be missing of what is dedicated to the public', async () => {
    const folder = await makePackages({ bare: null }, 'Unlicense')
    const module = path.join(folder, 'node_modules/bare/index.js')
    expect(licensesOf([module])).toContain('## bare 1.0.0 (Unlicense)')
  })
})
