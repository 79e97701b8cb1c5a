import { availableParallelism } from 'node:os'
import path from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { LongestFirst } from './tooling/test-services/longest-first.ts'

// `source` makes every workspace resolve to its TypeScript, so nothing is built before a test.
const resolve = { conditions: ['source'] }
// Not `import`: vitest hands these to Node as well, where `require` would then be given ES modules.
const ssr = { resolve: { conditions: ['source', 'node'] } }
// Where global set-ups run, to which Vitest applies neither of the above.
const environments = { __vitest__: ssr }
const execArgv = ['--conditions=source']

// What tests start is compiled once, not at each of some hundred starts.
process.env['NODE_COMPILE_CACHE'] ??= path.resolve(import.meta.dirname, 'node_modules/.cache/compiled')

/** Unit tests that take seconds of a processor, because they run engines, decode videos or read pictures. */
const heavy = [
  'apps/server/src/features/speech/engine.test.ts',
  'packages/identity-checks/src/{engines,media,media-fuzz,scores}.test.ts',
  'packages/identity-checks/src/{conformance,video}/*.test.ts',
  'packages/identity-checks/src/{mrz/read-mrz,ocr/document-reader,runner/{check-runner,remote-steps}}.test.ts',
  'packages/pcm-audio/src/**/{dtmf-detector,loudness,voice-activity}.test.ts',
  'packages/speech/src/decode-audio/*.test.ts',
  'packages/speech-espeak/src/{create-engine,load-espeak,pool,prosody,synthesis,voices,watermark}.test.ts',
  'packages/speech-sherpa/src/{create-engine,model-pool}.test.ts',
  'packages/telephony/src/loopback/loopback-{carrier,conformance}.test.ts',
]

/** End-to-end tests that together take many minutes: storms of faults, filled disks, a whole migration, a copy of it all. A CI job of their own runs them. */
const long = [
  'apps/kyc-shadow-worker/test/{demo,one-deployment}.e2e.ts',
  'apps/server/test/{batches-crash,database-away,deployed-image,disk-full,embedded-lost,embedded-server,identity-crash,lost-output,media-in-the-clear,parents,webhook-faults}.e2e.ts',
  'tooling/generator/test/new-group.e2e.ts',
]

const repeatable = './tooling/test-services/repeatable-properties.ts'

/** Both projects of end-to-end tests. */
const endToEnd = {
  globalSetup: ['./tooling/test-services/global-setup.ts', './tooling/conformance/global-setup.ts'],
  setupFiles: [
    './apps/server/test/support/hold-to-document.ts',
    repeatable,
    './tooling/test-services/end-stuck-file.ts',
  ],
  execArgv,
  // A package of the AI SDK has the condition `source`, too, and Node reads no TypeScript of packages.
  server: { deps: { inline: [/node_modules\/(?:ai|@ai-sdk\/[^/]+|eventsource-parser)\//] } },
  // Each file starts a server, and often a process of its own beside it. More than six need more connections than
  // the Postgres of the tests has.
  maxWorkers: Math.min(6, availableParallelism()),
  // Longer than tests wait for anything, see `until`, so that a failure names what it waited for.
  testTimeout: 120_000,
  hookTimeout: 120_000,
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // Tests read these without importing them; after a change of one, `--changed` runs everything.
    forceRerunTriggers: [
      ...configDefaults.forceRerunTriggers,
      '**/interop/*.json',
      '**/packages/contracts/openapi{,-migration}.json',
      '**/pnpm-lock.yaml',
    ],
    projects: [
      {
        resolve,
        ssr,
        test: {
          name: 'unit',
          include: [
            '{packages,apps,tooling}/*/{src,bench}/**/*.test.ts',
            'tooling/*/{,contract/,metadata/,readmes/,release/,workflows/}*.test.ts',
          ],
          exclude: [...configDefaults.exclude, ...heavy],
          setupFiles: repeatable,
          execArgv,
          // They start nothing, and loading zod and Vitest anew for each file takes longer than the tests.
          isolate: false,
          unstubGlobals: true,
          // Of some seconds of a processor that is shared; it only ends what hangs.
          testTimeout: 30_000,
          // Vitest would leave a core idle.
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 0 },
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: 'heavy',
          include: heavy,
          setupFiles: repeatable,
          execArgv,
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 1 },
        },
      },
      {
        resolve,
        ssr,
        environments,
        test: {
          ...endToEnd,
          name: 'e2e',
          include: ['{packages,apps,tooling}/*/test/**/*.e2e.ts'],
          exclude: [...configDefaults.exclude, ...long],
          sequence: { groupOrder: 2 },
        },
      },
      {
        resolve,
        ssr,
        environments,
        test: { ...endToEnd, name: 'long', include: long, sequence: { groupOrder: 3 } },
      },
    ],
  },
})
