import { expect, test } from 'vitest'
import type { Manifest, Workspace } from '../workspaces.ts'
import { withNeeded } from './with-needed.ts'

const workspace = (name: string, needs: Partial<Manifest> = {}): Workspace => ({
  directory: `packages/${name}`,
  manifest: { ...needs, name: `@vaani/${name}` },
})
const audio = workspace('pcm-audio')
const client = workspace('client', { devDependencies: { '@vaani/turns': 'workspace:^' } })
const espeak = workspace('speech-espeak', { dependencies: { '@vaani/pcm-audio': 'workspace:^' } })
const server = workspace('server', { optionalDependencies: { '@vaani/speech-espeak': 'workspace:^' } })
const testing = workspace('testing', {
  dependencies: { '@vaani/client': 'workspace:^', zod: '^4' },
  peerDependencies: { '@vaani/server': 'workspace:^' },
})
const turns = workspace('turns')
const published = [audio, client, espeak, server, testing, turns]

test('a package comes with what it needs where it is installed, through others too', () => {
  expect(withNeeded([testing], published)).toEqual([audio, client, espeak, server, testing])
})

test('a package that needs no other comes alone', () => {
  expect(withNeeded([client], published)).toEqual([client])
})
