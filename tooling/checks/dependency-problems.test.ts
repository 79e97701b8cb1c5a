import { expect, test } from 'vitest'

import { findDependencyProblems } from './dependency-problems.ts'
import type { WorkspaceSources } from './dependency-problems.ts'
import type { Manifest } from './workspaces.ts'

const contracts = workspace('packages/contracts', {}, { 'src/index.ts': 'export const version = 1' })
const pcmAudio = workspace('packages/pcm-audio', {}, { 'src/index.ts': "export * from './frame.ts'" })

test('a tree that keeps the rules has no problems', () => {
  const problems = findDependencyProblems([
    contracts,
    pcmAudio,
    workspace('packages/speech', uses('pcm-audio'), {
      'src/index.ts': "import { a } from '@vaani/pcm-audio'",
    }),
    workspace('packages/client', develops('contracts'), {
      'src/index.ts': "import type { Call } from '@vaani/contracts'",
      'scripts/generate.ts': "import { contract } from '@vaani/contracts'",
      'src/vectors.test.ts': "import vectors from '../../../interop/errors.json' with { type: 'json' }",
    }),
    workspace('apps/server', uses('contracts'), {
      'src/main.ts': "import { contract } from '@vaani/contracts'\nimport pg from 'pg'",
    }),
    workspace('packages/service-kit', uses('contracts'), {
      'src/http/ts-rest.ts': "import { initServer } from '@ts-rest/fastify'",
    }),
  ])
  expect(problems).toEqual([])
})

test('an import against the arrows', () => {
  const source = { 'src/index.ts': "import { a } from '@vaani/pcm-audio'" }
  expect(
    findDependencyProblems([pcmAudio, workspace('packages/contracts', develops('pcm-audio'), source)]),
  ).toEqual(['packages/contracts/src/index.ts: may not import @vaani/pcm-audio at run time'])
})

test('a dependency against the arrows, though nothing imports it yet', () => {
  expect(findDependencyProblems([contracts, workspace('packages/client', uses('contracts'), {})])).toEqual([
    'packages/client/package.json: may not depend on @vaani/contracts',
  ])
})

test('types where only a run-time import is wrong', () => {
  const client = workspace('packages/client', develops('contracts'), {
    'src/index.ts': "import { type Call } from '@vaani/contracts'",
  })
  expect(findDependencyProblems([contracts, client])).toEqual([
    'packages/client/src/index.ts: may not import @vaani/contracts at run time',
  ])
})

test('one application in another, even in its tests', () => {
  const server = workspace('apps/server', {}, {})
  const console = workspace('apps/console', develops('server'), { 'test/a.e2e.ts': "import '@vaani/server'" })
  expect(findDependencyProblems([server, console])).toEqual([
    'apps/console/test/a.e2e.ts: may not import @vaani/server at run time',
  ])
})

test('a console that goes around the client', () => {
  const source = { 'src/page.ts': "import { contract } from '@vaani/contracts'" }
  expect(
    findDependencyProblems([contracts, workspace('apps/console', develops('contracts'), source)]),
  ).toEqual(['apps/console/src/page.ts: may not import @vaani/contracts at run time'])
})

test('an import that package.json does not declare', () => {
  const source = { 'src/index.ts': "import { a } from '@vaani/pcm-audio/wav'" }
  expect(findDependencyProblems([pcmAudio, workspace('packages/speech', {}, source)])).toEqual([
    'packages/speech/src/index.ts: @vaani/pcm-audio is not declared in package.json',
  ])
})

test('a circle, development dependencies included', () => {
  const speech = workspace('packages/speech', uses('pcm-audio'), {})
  const circular = workspace('packages/pcm-audio', develops('speech'), {})
  expect(findDependencyProblems([speech, circular])).toEqual([
    'circle: @vaani/speech → @vaani/pcm-audio → @vaani/speech',
  ])
})

test.each(['../../speech/src/index.ts', '../../../interop/errors.json'])(
  '%s leaves its package',
  (specifier) => {
    const sources = { 'src/index.ts': `import a from '${specifier}'` }
    expect(findDependencyProblems([workspace('packages/contracts', {}, sources)])).toEqual([
      `packages/contracts/src/index.ts: ${specifier} leaves the package`,
    ])
  },
)

test('ts-rest outside its adapter files', () => {
  const source = { 'src/calls/routes.ts': "import { initServer } from '@ts-rest/fastify'" }
  expect(findDependencyProblems([workspace('apps/server', {}, source)])).toEqual([
    'apps/server/src/calls/routes.ts: @ts-rest/fastify belongs in the adapter files that dependency-rules.ts lists',
  ])
})

test('a workspace that nobody has placed', () => {
  expect(findDependencyProblems([workspace('packages/new', {}, {})])).toEqual([
    'packages/new: has no row in dependency-rules.ts',
  ])
})

function workspace(
  directory: string,
  manifest: Omit<Manifest, 'name'>,
  sources: Record<string, string>,
): WorkspaceSources {
  return { directory, manifest: { name: `@vaani/${directory.split('/')[1]}`, ...manifest }, sources }
}

function uses(name: string): Omit<Manifest, 'name'> {
  return { dependencies: { [`@vaani/${name}`]: 'workspace:^' } }
}

function develops(name: string): Omit<Manifest, 'name'> {
  return { devDependencies: { [`@vaani/${name}`]: 'workspace:*' } }
}
