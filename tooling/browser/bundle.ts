import { gzipSync } from 'node:zlib'
import { type OutputOptions, rolldown } from 'rolldown'

const VIRTUAL = 'virtual'

/** A file of this workspace, and what it imports, as one script for what has the web's names. */
export const bundleFile = (file: string, format: OutputOptions['format'] = 'esm'): Promise<string> =>
  generate(file, '', { format })

/** What a browser loads for a module that exports these names of a file: minified. */
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
    resolve: { conditionNames: ['source', 'browser'] },
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

/** Bytes of a script as servers send it. */
export const gzipLength = (code: string): number => gzipSync(code, { level: 9 }).length
