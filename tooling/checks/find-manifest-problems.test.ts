import { expect, test } from 'vitest'

import { findManifestProblems } from './find-manifest-problems.ts'
import type { Manifest, Workspace } from './workspaces.ts'

const contracts = workspace('packages/contracts', {})
const pcmAudio = workspace('packages/pcm-audio', {})
const kit = workspace('packages/service-kit', { ...uses('contracts'), private: true })

test('allows dependencies along the arrows, and any development dependencies', () => {
  expect(
    findManifestProblems([
      contracts,
      pcmAudio,
      kit,
      workspace('packages/speech', uses('pcm-audio')),
      workspace('packages/client', { devDependencies: { '@vaani/contracts': 'workspace:*' } }),
      workspace('apps/server', {
        ...uses('pcm-audio'),
        devDependencies: { '@vaani/service-kit': 'workspace:*' },
      }),
      workspace('packages/telephony', { dependencies: { ws: '*' } }),
    ]),
  ).toEqual([])
})

test('reports a dependency against the arrows, even if nothing imports it yet', () => {
  expect(findManifestProblems([contracts, workspace('packages/client', uses('contracts'))])).toEqual([
    'packages/client/package.json: may not depend on @vaani/contracts; see arrows.ts',
  ])
})

test('reports an optional dependency against the arrows', () => {
  const optionalDependencies = { '@vaani/contracts': 'workspace:^' }
  expect(findManifestProblems([contracts, workspace('packages/cli', { optionalDependencies })])).toEqual([
    'packages/cli/package.json: may not depend on @vaani/contracts; see arrows.ts',
  ])
})

test('reports a published workspace that depends on a private one', () => {
  expect(findManifestProblems([contracts, kit, workspace('apps/server', uses('service-kit'))])).toEqual([
    'apps/server/package.json: is published, so it may not depend on @vaani/service-kit, which is not',
  ])
})

test('reports a workspace without a row', () => {
  expect(findManifestProblems([workspace('packages/new', {})])).toEqual([
    'packages/new: has no row in arrows.ts',
  ])
})

function workspace(directory: string, manifest: Omit<Manifest, 'name'>): Workspace {
  return { directory, manifest: { name: `@vaani/${directory.split('/')[1]}`, ...manifest } }
}

function uses(name: string): Omit<Manifest, 'name'> {
  return { dependencies: { [`@vaani/${name}`]: 'workspace:^' } }
}
