import { createRequire } from 'node:module'

// The types of ts-rest are bundled, as a package that depended on it would get them with another zod:
// docs/decisions/0001-ts-rest-and-zod.md.
const tsRest = '@ts-rest/core'
const tsRestFastify = '@ts-rest/fastify'
const require = createRequire(import.meta.url)
const typesOf = (name: string) => require.resolve(name).replace(/\.js$/, '.d.ts')

/** The `zod` of ts-rest's declarations is zod 3, which zod 4 has as `zod/v3`. */
function resolveTypes(source: string, importer = '') {
  if ((source === tsRest || source === tsRestFastify) && importer.endsWith('.d.ts')) return typesOf(source)
  return source === 'zod' && importer.includes('@ts-rest') ? { id: 'zod/v3', external: true } : null
}

// A plain object: the types of `defineConfig` do not pass `skipLibCheck: false` under TypeScript 7.
export default {
  entry: {
    index: 'src/index.ts',
    openapi: 'src/openapi/index.ts',
    'ts-rest': 'src/ts-rest/index.ts',
    'ts-rest-fastify': 'src/ts-rest/fastify.ts',
  },
  platform: 'neutral',
  target: 'node22',
  dts: true,
  deps: {
    alwaysBundle: [tsRest, tsRestFastify],
    onlyBundle: [tsRest, tsRestFastify],
    neverBundle: ['fastify'],
  },
  plugins: [{ name: 'types-of-ts-rest', resolveId: { order: 'pre', handler: resolveTypes } }],
}
