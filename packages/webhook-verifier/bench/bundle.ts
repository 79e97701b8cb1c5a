import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import type * as library from '../src/index.ts'

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

/** The library as a browser runs it, with WebCrypto instead of node:crypto. */
export async function loadForBrowsers<Name extends keyof typeof library>(
  names: readonly Name[],
): Promise<Pick<typeof library, Name>> {
  const code = await bundleForBrowsers(names)
  return import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`)
}

export function gzipLength(code: string): number {
  return gzipSync(code, { level: 9 }).length
}
