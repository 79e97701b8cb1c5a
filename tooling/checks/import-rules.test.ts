import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'

import { findImportProblems, type ImportProblem, ruleNames } from './find-import-problems.ts'

/** Sources by their path in a repository; `@vaani/<name>` is the workspace `<name>`, at `src/index.ts` or deeper. */
type Sources = Readonly<Record<string, string>>

const features = 'apps/server/src/features'
const kit = 'packages/service-kit/src'

/** Sources that the cases below import; they have no problems themselves. */
const neighbours: Sources = {
  'packages/contracts/src/index.ts': 'export type Call = string',
  'packages/pcm-audio/src/index.ts': "export * from './frame.ts'",
  'packages/pcm-audio/src/frame.ts': 'export {}',
  'packages/pcm-audio/src/player/player.ts': 'export {}',
  'packages/client/src/index.ts': 'export {}',
  [`${kit}/clock.ts`]: 'export {}',
  [`${kit}/http/errors/api-error.ts`]: 'export {}',
  [`${kit}/database/transaction.ts`]: 'export {}',
  'packages/webhook-verifier/src/index.ts': 'export {}',
  'packages/speech/src/index.ts': 'export {}',
  'packages/identity-checks/src/decision/policy.ts': 'export {}',
  'packages/identity-checks/src/index.ts': 'export {}',
  'tooling/browser/src/index.ts': 'export {}',
  'apps/console/src/index.ts': 'export {}',
  'apps/server/src/http/app.ts': 'export {}',
  'apps/server/src/tenancy/accounts.ts': 'export {}',
  [`${features}/calls/feature.ts`]: "import './routes/place.ts'",
  [`${features}/calls/port.ts`]: 'export type PlaceCall = string',
  [`${features}/calls/routes/place.ts`]: "import '../rules/schedule.ts'\nimport '../store.ts'",
  [`${features}/calls/rules/schedule.ts`]: 'export {}',
  [`${features}/calls/store.ts`]: 'export {}',
  [`${features}/calls/tables.ts`]: "import type { Generated } from 'kysely'",
  'interop/errors.json': '{}',
}

test('a repository that follows the rules has no problems', async () => {
  const problems = await problemsWith({
    'packages/client/src/index.ts':
      "import type { Call } from '@vaani/contracts'\nlet a: typeof import('@vaani/contracts')",
    'packages/client/scripts/generate.ts': "import { contract } from '@vaani/contracts'",
    'packages/client/src/vectors.test.ts':
      "import '../../../interop/errors.json' with { type: 'json' }\nimport '@vaani/browser'",
    'packages/speech/src/index.ts': "import '@vaani/pcm-audio'",
    [`${kit}/http/ts-rest.ts`]: "import '@ts-rest/fastify'\nimport '@vaani/contracts'",
    'apps/server/src/main.ts': "import './server.ts'\nimport 'pg'",
    'apps/server/src/server.ts': "import './features.ts'",
    'apps/server/src/features.ts':
      "import './features/calls/feature.ts'\nimport './features/batches/feature.ts'",
    'apps/server/src/print-migrations.ts': "import './features.ts'\nimport './features/calls/feature.ts'",
    'apps/server/src/testing/main.ts': "import '../features/calls/feature.ts'",
    [`${features}/batches/feature.ts`]:
      "import '../calls/port.ts'\nimport '../../tenancy/accounts.ts'\nimport './rows-store.ts'",
    [`${features}/batches/rows-store.ts`]:
      "import 'kysely'\nimport '@vaani/service-kit/database/transaction'\nimport './rules/pace.ts'",
    [`${features}/batches/tables.ts`]: 'export {}',
    [`${features}/batches/rules/pace.ts`]: [
      "import { createHash } from 'node:crypto'",
      "import 'zod'",
      "import './window.ts'",
      "import '@vaani/contracts'",
      "import '@vaani/pcm-audio'",
      "import '@vaani/identity-checks/decision/policy'",
      "import type { Clock } from '@vaani/service-kit/clock'",
      "import type { Row } from '../tables.ts'",
      "import type { PlaceCall } from '../../calls/port.ts'",
    ].join('\n'),
    [`${features}/batches/rules/window.ts`]: 'export {}',
    [`${features}/batches/rules/window.test.ts`]: "import 'node:fs'\nimport 'vitest'\nimport './window.ts'",
  })
  expect(problems).toEqual([])
})

/** Sources that each break one rule, by rule and file; `#` is replaced to make the file name unique. */
const violations: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'arrows of packages/contracts': {
    'packages/contracts/src/#.ts': [
      "import '@vaani/pcm-audio'",
      "import type { A } from '@vaani/pcm-audio'",
      "export type { A } from '@vaani/pcm-audio'",
    ],
  },
  'arrows of packages/client': { 'packages/client/src/#.ts': ["import '@vaani/speech'"] },
  'arrows of packages/client at run time': {
    'packages/client/src/#.ts': [
      "import { a } from '@vaani/contracts'",
      "export * from '@vaani/contracts'",
      "const a = 1; await import('@vaani/contracts')",
    ],
  },
  'arrows of packages/service-kit': { [`${kit}/http/#.ts`]: ["import '@vaani/speech'"] },
  'arrows of apps/*': { 'apps/server/src/#.ts': ["import '@vaani/browser'"] },
  'no-other-app': {
    [`${kit}/http/#.ts`]: ["import '@vaani/console'"],
    'packages/testing/test/#.e2e.ts': ["import '@vaani/console'"],
    'apps/server/test/#.e2e.ts': ["import '@vaani/console'"],
    'tooling/bench/#.ts': ["import type { A } from '@vaani/console'"],
  },
  'stay-inside': {
    'packages/speech/src/#.ts': ["import '../../pcm-audio/src/index.ts'"],
    'packages/client/src/#.test.ts': ["import '../../contracts/src/index.ts'"],
  },
  'vectors-in-development': { 'packages/client/src/#.ts': ["import '../../../interop/errors.json'"] },
  'ts-rest-behind-adapters': { 'apps/server/src/#.ts': ["import { initServer } from '@ts-rest/fastify'"] },
  resolvable: { 'packages/telephony/src/#.ts': ["import './nowhere.ts'", "import 'not-installed'"] },
  declared: { 'packages/telephony/src/#.ts': ["import 'hoisted'", "import type { A } from 'hoisted'"] },
  'features-meet-at-ports': {
    [`${features}/batches/#.ts`]: [
      "import '../calls/rules/schedule.ts'",
      "import type { Call } from '../calls/tables.ts'",
      "let a: typeof import('../calls/store.ts')",
    ],
    [`${features}/batches/deep/#.test.ts`]: ["import '../../calls/routes/place.ts'"],
  },
  'features-are-listed-once': {
    'apps/server/test/#.e2e.ts': ["import '../src/features/calls/feature.ts'"],
    [`${features}/calls/routes/#.ts`]: ["import type { A } from '../feature.ts'"],
  },
  'nothing-below-knows-features': {
    'apps/server/src/tenancy/#.ts': ["import type { A } from '../features/calls/port.ts'"],
    'apps/server/src/http/#.ts': ["import '../features/calls/store.ts'"],
  },
  'rules-do-no-io': {
    [`${features}/calls/rules/#.ts`]: [
      ...[
        'async_hooks',
        'child_process',
        'dns',
        'events',
        'fs',
        'fs/promises',
        'http',
        'http2',
        'https',
        'net',
        'process',
        'sqlite',
        'stream',
        'test',
        'timers',
        'timers/promises',
        'tls',
        'worker_threads',
      ].map((module) => `import type { A } from 'node:${module}'`),
      ...['@aws-sdk/client-s3', 'fastify', 'kysely', 'pg', 'pino', 'redis', 'undici'].map(
        (name) => `import type { A } from '${name}'`,
      ),
      "import fs from 'fs'",
      "const fs = process.getBuiltinModule('node:fs')",
    ],
    [`${features}/calls/media/rules/deep/#.ts`]: ["import 'node:fs'"],
    'apps/server/src/tenancy/rules/#.ts': ["import 'node:fs'"],
  },
  'rules-know-no-store': {
    [`${features}/calls/rules/#.ts`]: [
      "import type { A } from '../store.ts'",
      "import type { A } from '../routes/place.ts'",
      "import type { A } from '../../../http/app.ts'",
    ],
  },
  'rules-use-rules': {
    [`${features}/calls/rules/#.ts`]: [
      "import '../tables.ts'",
      "import '../port.ts'",
      "import '../../../tenancy/accounts.ts'",
      "import '@vaani/service-kit/clock'",
      "import '@vaani/service-kit/database/transaction'",
      "import '@vaani/identity-checks'",
      "import '@vaani/pcm-audio/player/player'",
    ],
  },
  'pure-workspaces-do-no-io': {
    'packages/contracts/src/#.ts': ["import 'node:fs'"],
    'packages/webhook-verifier/src/#.ts': ["import 'undici'"],
    'packages/identity-checks/src/decision/#.ts': ["import '../index.ts'"],
    'packages/pcm-audio/src/#.ts': ["import './player/player.ts'"],
  },
  'stores-know-no-http': {
    [`${features}/batches/#-store.ts`]: [
      "import { ApiError } from '@vaani/service-kit/http/errors/api-error'",
      "import type { FastifyRequest } from 'fastify'",
      "import '@fastify/multipart'",
      "import 'undici'",
      "import 'node:http'",
      "import type { App } from '../../http/app.ts'",
      "import type { A } from './routes/list.ts'",
    ],
    [`${features}/batches-#/store.ts`]: ["import '@vaani/service-kit/http/errors/api-error'"],
    'apps/server/src/tenancy/#/store.ts': ["import 'fastify'"],
    [`${kit}/blobs/#-store.ts`]: ["import 'fastify'"],
  },
}

const cases = Object.entries(violations).flatMap(([rule, files]) =>
  Object.entries(files).flatMap(([file, sources]) => sources.map((source) => ({ rule, file, source }))),
)
const fileOf = (index: number): string => cases[index]!.file.replace('#', `case-${index}`)
let found: readonly ImportProblem[]

beforeAll(async () => {
  const routes = { [`${features}/batches/routes/list.ts`]: 'export {}' }
  found = await problemsWith({
    ...routes,
    ...Object.fromEntries(cases.map(({ source }, index) => [fileOf(index), source])),
  })
})

test.each(cases.map(({ rule, file, source }, index) => ({ rule, file, source, index })))(
  '$rule: $source in $file',
  ({ rule, index }) => {
    const broken = found.filter(({ imports }) => imports.startsWith(`${fileOf(index)} → `))
    expect(broken.map((problem) => problem.rule)).toEqual([rule])
  },
)

test('each rule has a case', () => {
  const tested = new Set([...Object.keys(violations), 'no-circle'])
  const untested = ruleNames.filter((name) => !tested.has(name) && !name.startsWith('arrows of '))
  expect(untested).toEqual([])
})

test('reports a complete circle, including type imports', async () => {
  const problems = await problemsWith({
    'packages/speech/src/a.ts': "import './b.ts'",
    'packages/speech/src/b.ts': "import type { C } from './c.ts'",
    'packages/speech/src/c.ts': "import './a.ts'",
  })
  expect(problems).toEqual([
    {
      rule: 'no-circle',
      imports: ['a', 'b', 'c', 'a'].map((name) => `packages/speech/src/${name}.ts`).join(' → '),
    },
  ])
})

const packagesOfOthers =
  '@aws-sdk/client-s3 @fastify/multipart @ts-rest/fastify fastify kysely pg pino redis undici vitest zod'
    .split(' ')
    // Installed at the root, but declared nowhere.
    .concat('hoisted')

/** Returns the problems of a repository with these sources and the neighbours. */
async function problemsWith(sources: Sources): Promise<ImportProblem[]> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), 'import-rules-')))
  const write = async (file: string, text: string): Promise<void> => {
    await mkdir(path.join(root, path.dirname(file)), { recursive: true })
    await writeFile(path.join(root, file), text)
  }
  try {
    const files = Object.entries({ ...neighbours, ...sources })
    const workspaces = new Set(files.map(([file]) => file.split('/').slice(0, 2).join('/')))
    workspaces.delete('interop/errors.json')
    const declared = packagesOfOthers.filter((name) => name !== 'hoisted').map((name) => [name, '*'])
    const manifest = {
      exports: { '.': { 'vaani-source': './src/index.ts' }, './*': { 'vaani-source': './src/*.ts' } },
      dependencies: Object.fromEntries(declared),
    }
    for (const [file, text] of files) await write(file, text)
    for (const name of packagesOfOthers) {
      await write(`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' }))
      await write(`node_modules/${name}/index.js`, '')
    }
    await mkdir(path.join(root, 'node_modules/@vaani'))
    for (const workspace of workspaces) {
      const name = `@vaani/${path.basename(workspace)}`
      await write(`${workspace}/package.json`, JSON.stringify({ name, ...manifest }))
      await symlink(path.join(root, workspace), path.join(root, 'node_modules', name))
    }
    return [...(await findImportProblems(root)).problems]
  } finally {
    await rm(root, { recursive: true })
  }
}
