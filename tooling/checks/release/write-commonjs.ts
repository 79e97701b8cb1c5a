import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { listModules } from '../published-entries.ts'

/**
 * Writes two files beside each entry of published packages: the one that `require()` loads, and its declarations. Both only
 * pass on the ES module, which Node loads by `require()` since 22.12, so nothing is built or loaded twice. Under
 * `module: node16`, which stands for older versions of Node, TypeScript reports such a `require()`; hence the `@ts-ignore`.
 */
export async function writeCommonJs(root: string, directories: readonly string[]): Promise<void> {
  const modules = listModules(root).filter(
    ({ directory, file }) => directories.includes(directory) && file.endsWith('.js'),
  )
  await Promise.all(
    modules.flatMap(({ directory, file }) => {
      const name = path.basename(file)
      const base = path.join(root, directory, file.replace(/\.js$/, ''))
      return [
        writeFile(`${base}.cjs`, `module.exports = require('./${name}')\n`),
        writeFile(`${base}.d.cts`, `// @ts-ignore\nexport * from './${name}'\n`),
      ]
    }),
  )
}
