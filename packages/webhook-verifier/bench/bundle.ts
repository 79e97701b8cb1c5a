import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'

const entry = path.resolve(import.meta.dirname, '../src/index.ts')

/** What a browser or an edge run time would load for a module that exports these names. */
export async function bundleForBrowsers(names: readonly string[]): Promise<string> {
  const virtual = `export { ${names.join(', ')} } from ${JSON.stringify(entry)}`
  await using bundle = await rolldown({
    input: 'virtual',
    platform: 'browser',
    resolve: { conditionNames: ['source', 'browser'] },
    plugins: [
      {
        name: 'virtual',
        resolveId: (id) => (id === 'virtual' ? id : null),
        load: (id) => (id === 'virtual' ? virtual : null),
      },
    ],
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  return output[0].code
}

export function gzipLength(code: string): number {
  return gzipSync(code, { level: 9 }).length
}
