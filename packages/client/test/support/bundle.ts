import path from 'node:path'
import { rolldown } from 'rolldown'

/** What a browser loads for a module that exports these names of a file of `src`: minified. */
export async function bundle(names: readonly string[], file: string): Promise<string> {
  const source = path.join(import.meta.dirname, '../../src', file)
  await using bundled = await rolldown({
    input: 'virtual',
    platform: 'browser',
    plugins: [
      {
        name: 'virtual',
        resolveId: (id) => (id === 'virtual' ? id : null),
        load: (id) =>
          id === 'virtual' ? `export { ${names.join(', ')} } from ${JSON.stringify(source)}` : null,
      },
    ],
  })
  const { output } = await bundled.generate({ format: 'esm', minify: true })
  return output[0].code
}
