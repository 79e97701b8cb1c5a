import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Replaces the list of a service's features in a page: those of its `features.ts`, each with the features whose ports it uses. */
export function writeFeatures(page: string, options: { root: string; app: string }): string {
  const { root, app } = options
  const source = path.join(root, app, 'src')
  const order = Array.from(
    readFileSync(path.join(source, 'features.ts'), 'utf8').matchAll(/\.with\((\w+)Feature\)/g),
    ([, name = '']) => name,
  )
  const rows = order.map((name) => {
    const used = portsOf(path.join(source, 'features', name)).filter((other) => other !== name)
    return `| \`${name}\` | ${order.filter((other) => used.includes(other)).join(', ')} |\n`
  })
  const [begin, end] = [`<!-- features of ${app}, by pnpm generate -->`, '<!-- end of features -->']
  const [before, rest = ''] = page.split(begin)
  const after = rest.slice(rest.indexOf(end))
  if (!after.startsWith(end)) throw new Error(`The page has no place for the features of ${app}`)
  return `${before}${begin}\n\n| feature | uses |\n| - | - |\n${rows.join('')}\n${after}`
}

/** Returns the features whose `port.ts` a folder imports. */
function portsOf(folder: string): string[] {
  return globSync('**/*.ts', { cwd: folder })
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) =>
      Array.from(
        readFileSync(path.join(folder, file), 'utf8').matchAll(/from '(?:\.\.\/)+(\w+)\/port\.ts'/g),
        ([, name = '']) => name,
      ),
    )
}
