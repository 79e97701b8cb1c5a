import { expect, test } from 'vitest'
import { findMetadataProblems, metadataOf, type Project } from './package-metadata.ts'

const project: Project = {
  homepage: 'https://github.com/somebody/vaani#readme',
  bugs: 'https://github.com/somebody/vaani/issues',
  author: 'Somebody',
  repository: { type: 'git', url: 'git+https://github.com/somebody/vaani.git' },
}
const own = {
  name: '@vaani/client',
  description: 'A client',
  keywords: ['vaani'],
  license: 'MIT',
  files: ['dist'],
  engines: { node: '>=22' },
}
const directory = 'packages/client'

test("derives a package's metadata from the root's", () => {
  expect(metadataOf(project, { directory, manifest: own })).toEqual({
    homepage: 'https://github.com/somebody/vaani/tree/main/packages/client#readme',
    bugs: 'https://github.com/somebody/vaani/issues',
    author: 'Somebody',
    repository: {
      type: 'git',
      url: 'git+https://github.com/somebody/vaani.git',
      directory: 'packages/client',
    },
    publishConfig: { access: 'public', provenance: true },
  })
})

test('accepts derived metadata', () => {
  const manifest = { ...own, ...metadataOf(project, { directory, manifest: own }) }
  expect(findMetadataProblems(project, { directory, manifest })).toEqual([])
})

test('reports a package that names another repository', () => {
  const moved = { ...project, repository: { type: 'git', url: 'git+https://github.com/else/vaani.git' } }
  const manifest = { ...own, ...metadataOf(moved, { directory, manifest: own }) }
  expect(findMetadataProblems(project, { directory, manifest })).toEqual([
    "packages/client/package.json: `homepage` does not follow from the root's; run `pnpm metadata`",
    "packages/client/package.json: `repository` does not follow from the root's; run `pnpm metadata`",
  ])
})

test('reports a package without keywords', () => {
  const { keywords: _, ...rest } = own
  const manifest = { ...rest, ...metadataOf(project, { directory, manifest: own }) }
  expect(findMetadataProblems(project, { directory, manifest })).toEqual([
    'packages/client/package.json: lacks `keywords`',
  ])
})
