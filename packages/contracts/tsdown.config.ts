import { createRequire } from 'node:module'

// ts-rest is bundled, because a package that depended on it would get its types with another zod:
// docs/decisions/0001-ts-rest-and-zod.md.
const tsRest = ['@ts-rest/core', '@ts-rest/fastify']
const require = createRequire(import.meta.url)

/** The `zod` in ts-rest's declarations is zod 3, which zod 4 exports as `zod/v3`. */
function resolveTypes(source: string, importer = '') {
  if (tsRest.includes(source) && importer.endsWith('.d.ts'))
    return require.resolve(source).replace(/\.js$/, '.d.ts')
  return source === 'zod' && importer.includes('@ts-rest') ? { id: 'zod/v3', external: true } : null
}

// A plain object: the types of `defineConfig` do not pass `skipLibCheck: false` under TypeScript 7.
export default {
  entry: {
    index: 'src/index.ts',
    openapi: 'src/openapi/index.ts',
    migration: 'src/migration/index.ts',
    'ts-rest': 'src/ts-rest/index.ts',
    'ts-rest-fastify': 'src/ts-rest/fastify.ts',
  },
  platform: 'neutral',
  target: 'node22',
  dts: true,
  deps: { alwaysBundle: tsRest, onlyBundle: tsRest, neverBundle: ['fastify'] },
  plugins: [{ name: 'types-of-ts-rest', resolveId: { order: 'pre', handler: resolveTypes } }],
}
