import { expect, test } from 'vitest'
import { findCircles, findFolderCircles } from './find-circles.ts'
import type { Manifest, Workspace } from './workspaces.ts'

const workspace = (name: string, manifest: Omit<Manifest, 'name'>): Workspace => ({
  directory: `packages/${name}`,
  manifest: { name, ...manifest },
})
const on = (name: string) => ({ [name]: 'workspace:*' })

test('no circle', () => {
  expect(
    findCircles([
      workspace('server', { dependencies: { ...on('kit'), ...on('audio') }, devDependencies: on('audio') }),
      workspace('kit', { dependencies: on('audio') }),
      workspace('audio', { devDependencies: { vitest: '*' } }),
    ]),
  ).toEqual([])
})

test('a circle through development dependencies', () => {
  expect(
    findCircles([
      workspace('server', { dependencies: on('client') }),
      workspace('client', { dependencies: on('audio') }),
      workspace('audio', { devDependencies: on('server') }),
    ]),
  ).toEqual(['server → client → audio → server: these workspaces need each other; see package.json of each'])
})

test('a circle through a peer dependency', () => {
  expect(
    findCircles([
      workspace('server', { devDependencies: on('testing') }),
      workspace('testing', { peerDependencies: on('server') }),
    ]),
  ).toEqual(['server → testing → server: these workspaces need each other; see package.json of each'])
})

test('a workspace that depends on itself, through an optional dependency', () => {
  expect(findCircles([workspace('a', { optionalDependencies: on('a') })])).toHaveLength(1)
})

test('a circle of folders in the sources of a workspace', () => {
  const kit = 'packages/kit/src'
  const files = [
    {
      file: `${kit}/http/app.ts`,
      imports: [`${kit}/limits/log.ts`, `${kit}/ids.ts`, 'packages/speech/src/engine/a.ts'],
    },
    { file: `${kit}/limits/log.ts`, imports: [`${kit}/limits/window.ts`] },
    { file: `${kit}/limits/window.ts`, imports: [`${kit}/http/error.ts`] },
    { file: `${kit}/ids.ts`, imports: [`${kit}/http/error.ts`] },
    { file: 'packages/speech/src/engine/a.ts', imports: [`${kit}/http/error.ts`] },
  ]
  expect(findFolderCircles(files)).toEqual([
    expect.stringMatching(`^${kit}/http → ${kit}/limits → ${kit}/http: these folders need each other`),
  ])
  expect(findFolderCircles(files.slice(0, 2))).toEqual([])
})

test('a circle of folders in a folder, but not one of features, which meet at ports', () => {
  const importing = (parent: string) => [
    { file: `${parent}/one/a.ts`, imports: [`${parent}/two/port.ts`] },
    { file: `${parent}/two/b.ts`, imports: [`${parent}/one/port.ts`] },
  ]
  expect(findFolderCircles(importing('packages/kit/src/http'))).toEqual([
    expect.stringMatching(
      '^packages/kit/src/http/one → packages/kit/src/http/two → packages/kit/src/http/one:',
    ),
  ])
  expect(findFolderCircles(importing('apps/server/src/features'))).toEqual([])
})
