import { expect, test } from 'vitest'

import type { Service } from './start-first.ts'
import { startFirst } from './start-first.ts'

const service: Service = { url: 'redis://127.0.0.1', stop: () => Promise.resolve() }
const works = { name: 'works', start: () => Promise.resolve(service) }
const absent = { name: 'absent', start: () => Promise.resolve(undefined) }
const fails = { name: 'docker', start: () => Promise.reject(new Error('no such image')) }

test('uses the first available source, and starts no later ones', async () => {
  const never = { name: 'never', start: () => Promise.reject(new Error('started')) }
  expect(await startFirst([absent, works, never])).toEqual({ service, description: 'works' })
})

test('reports the failure of an earlier source', async () => {
  expect(await startFirst([fails, works])).toEqual({
    service,
    description: 'works (docker failed: no such image)',
  })
})

test('resolves without a service if no source is available', async () => {
  expect(await startFirst([absent])).toEqual({ service: undefined, description: 'none' })
})
