import { registerHooks } from 'node:module'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { CHROMIUM } from './tooling/browser/chromium.ts'
import { findThorough } from './tooling/test-services/find-thorough.ts'
import { LongestFirst } from './tooling/test-services/longest-first.ts'
import { findNeeds, tagsOf } from './tooling/test-services/needs.ts'
import { ProfileReporter } from './tooling/test-services/profile-reporter.ts'
import { SkippedReporter } from './tooling/test-services/report-skipped.ts'

// `vaani-source` makes every workspace resolve to its TypeScript, so nothing is built before a test.
const resolve = { conditions: ['vaani-source'] }
// Not `import`: vitest hands these to Node as well, where `require` would then be given ES modules.
const ssr = { resolve: { conditions: ['vaani-source', 'node'] } }
// Where global set-ups run, to which Vitest applies neither of the above.
const environments = { __vitest__: ssr }
const execArgv = ['--conditions=vaani-source']
// The same for this process, which may have been started without it.
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, { ...context, conditions: [...context.conditions, 'vaani-source'] }),
})

// What tests start is compiled once, not at each of some hundred starts.
process.env['NODE_COMPILE_CACHE'] ??= path.resolve(import.meta.dirname, 'node_modules/.cache/compiled')

/** Unit tests that take seconds of a processor, because they speak, or measure audio. */
const audio = [
  'apps/server/src/features/speech/engine.test.ts',
  'packages/pcm-audio/src/**/{dtmf-detector,loudness,voice-activity}.test.ts',
  'packages/speech/src/{decode-audio/*,synthesis/render-file}.test.ts',
  'packages/speech-espeak/src/{create-engine,levels,load-espeak,pool,prosody,synthesis,voices,watermark}.test.ts',
  'packages/speech-flite/src/{create-engine,flite,pool,prosody,watermark}.test.ts',
  'packages/speech-sherpa/src/{create-engine,model-pool}.test.ts',
  'packages/telephony-sip/{src/{line,simulator,softphone},test}/*.test.ts',
  'packages/telephony-media-streams/test/*.test.ts',
  'packages/voice-silero/{src/silero,bench/voice/babble}.test.ts',
]

/** Unit tests that decode videos or read pictures, or that load modules anew. */
const heavy = [
  'packages/identity-checks/src/{engines,scores}.test.ts',
  'packages/identity-checks/src/{conformance,media,video,faces/face-api}/*.test.ts',
  'packages/identity-checks/src/liveness/head-motion/head-motion-engine.test.ts',
  'packages/identity-checks/src/{mrz/read-mrz,ocr/photo-reader/photo-reader}.test.ts',
  'packages/identity-checks/src/runner/{check-runner,check-runner-processes,document-reader,remote-steps,turned-documents}.test.ts',
  'packages/pcm-audio/src/resample/resample.test.ts',
  'packages/speech-flite/src/constants.test.ts',
]

/** End-to-end tests that together take many minutes: storms of faults, lost statements, filled disks, restores, a whole migration, a copy of it all. A CI job of their own runs them. */
const long = [
  'apps/kyc-shadow-worker/test/{demo,gateway-conformance,one-deployment}.e2e.ts',
  'apps/server/test/{batches-crash,database-away,deployed-image,disk-full,documents-crash,embedded-lost,embedded-server,identity-crash,identity-shares,identity-templates,lost-output,media-in-the-clear,parents,restored,restored-work,undialled-calls,webhook-faults}.e2e.ts',
  'packages/telephony-sip/test/sipp-loss.e2e.ts',
  'tooling/generator/test/new-group.e2e.ts',
]

/** Where `pnpm test:profile` collects what each file costs, and where CI wants the results as JSON. */
const { VAANI_TEST_PROFILE: profile, VAANI_TEST_REPORT: report } = process.env
const jsonReporters: ['json', { outputFile: string }][] =
  report === undefined ? [] : [['json', { outputFile: report }]]

const setupFiles = [
  './tooling/test-services/profile-file.ts',
  './tooling/test-services/repeatable-properties.ts',
]

/**
 * Ends only what hangs, on a processor that others share. Longer than tests wait for anything, see `until`, so that a failure
 * names what it waited for.
 */
const TIMEOUT_MS = 600_000
/** Otherwise a poll gives up after a second. */
const expectation = { poll: { timeout: TIMEOUT_MS / 2 } }

/**
 * Processes that run files which often wait, or that share a processor with other programs: more than cores, so that a core is seldom
 * idle and never mostly another's.
 */
const WORKERS = Math.max(4, availableParallelism())

/** Files share processes, whose Node loads the sources itself, once for all files. */
const sharedProcess = {
  experimental: { viteModuleRunner: false, nodeLoader: false },
  isolate: false,
}

/** Both projects of end-to-end tests. */
const endToEnd = {
  globalSetup: ['./tooling/test-services/global-setup.ts', './tooling/conformance/global-setup.ts'],
  setupFiles: [
    ...setupFiles,
    './apps/server/test/support/hold-to-document.ts',
    './tooling/test-services/end-stuck-file.ts',
  ],
  execArgv,
  ...sharedProcess,
  // Each file starts a server, and often a process of its own beside it. More than six need more connections than
  // the Postgres of the tests has.
  maxWorkers: Math.min(6, WORKERS),
  testTimeout: TIMEOUT_MS,
  hookTimeout: TIMEOUT_MS,
  expect: expectation,
}

export default defineConfig({
  test: {
    tags: tagsOf(await findNeeds({ chromium: CHROMIUM !== undefined })),
    reporters: [
      'default',
      new SkippedReporter(),
      ...(profile === undefined ? [] : [new ProfileReporter(profile)]),
      ...jsonReporters,
    ],
    sequence: { sequencer: LongestFirst },
    forceRerunTriggers: [...configDefaults.forceRerunTriggers, '**/pnpm-lock.yaml'],
    projects: [
      {
        resolve,
        ssr,
        test: {
          name: 'unit',
          include: [
            '{packages,apps,tooling}/*/{src,bench,fuzz}/**/*.test.ts',
            'tooling/*/{,contract/,metadata/,readmes/,release/,workflows/}*.test.ts',
          ],
          exclude: [...configDefaults.exclude, ...audio, ...heavy],
          setupFiles,
          execArgv,
          // They start nothing, and loading sources, zod and Vitest anew for each file takes longer than the tests.
          ...sharedProcess,
          unstubGlobals: true,
          testTimeout: TIMEOUT_MS,
          hookTimeout: TIMEOUT_MS,
          expect: expectation,
          // Vitest would leave a core idle.
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 0 },
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: 'audio',
          include: audio,
          setupFiles,
          execArgv,
          ...sharedProcess,
          testTimeout: TIMEOUT_MS,
          hookTimeout: TIMEOUT_MS,
          expect: expectation,
          maxWorkers: WORKERS,
          sequence: { groupOrder: 1 },
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: 'heavy',
          include: heavy,
          setupFiles,
          execArgv,
          testTimeout: TIMEOUT_MS,
          hookTimeout: TIMEOUT_MS,
          expect: expectation,
          maxWorkers: WORKERS,
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
        test: {
          ...endToEnd,
          name: 'long',
          include: [...long, ...findThorough(import.meta.dirname)],
          env: { VAANI_TEST_THOROUGH: 'true' },
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
})
