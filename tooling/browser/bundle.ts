import { gzipSync } from 'node:zlib'
import { type OutputOptions, rolldown } from 'rolldown'

const VIRTUAL = 'virtual'

/** Bundles a file and its imports into one script for web-standard runtimes. */
export const bundleFile = (file: string, format: OutputOptions['format'] = 'esm'): Promise<string> =>
  generate(file, '', { format })

/** Bundles and minifies a module that exports these names of a file, as a browser would load it. */
export const bundleNames = (names: readonly string[], file: string): Promise<string> =>
  generate(VIRTUAL, `export { ${names.join(', ')} } from ${JSON.stringify(file)}`, {
    format: 'esm',
    minify: true,
    // Only a bundler reads them.
    comments: { annotation: false },
  })

async function generate(input: string, virtual: string, options: OutputOptions): Promise<string> {
  await using bundle = await rolldown({
    input,
    platform: 'browser',
    external: /^node:/,
    resolve: { conditionNames: ['vaani-source', 'browser'] },
    plugins: [
      {
        name: VIRTUAL,
        resolveId: (id) => (id === VIRTUAL ? id : null),
        load: (id) => (id === VIRTUAL ? virtual : null),
      },
    ],
  })
  const { output } = await bundle.generate(options)
  return output[0].code
}

/** Size of a script in bytes, compressed as servers send it. */
export const gzipLength = (code: string): number => gzipSync(code, { level: 9 }).length
