import { defineConfig } from 'vitest/config'

// `source` makes every workspace resolve to its TypeScript, so nothing is built before a test.
const resolve = { conditions: ['source'] }
const ssr = { resolve: { conditions: ['source', 'node', 'import', 'default'] } }

export default defineConfig({
  test: {
    projects: [
      {
        resolve,
        ssr,
        test: {
          name: 'unit',
          include: ['{packages,apps,tooling}/*/src/**/*.test.ts', 'tooling/*/*.test.ts'],
          execArgv: ['--conditions=source'],
        },
      },
    ],
  },
})
