import { expect, test } from 'vitest'

import type { Service } from './start-first.ts'
import { startFirst } from './start-first.ts'

const service: Service = { url: 'redis://127.0.0.1', stop: () => Promise.resolve() }
const works = { name: 'works', start: () => Promise.resolve(service) }
const absent = { name: 'absent', start: () => Promise.resolve(undefined) }
const fails = { name: 'docker', start: () => Promise.reject(new Error('no such image')) }

test('the first source that can is used, and later ones are not started', async () => {
  const never = { name: 'never', start: () => Promise.reject(new Error('started')) }
  expect(await startFirst([absent, works, never])).toEqual({ service, description: 'works' })
})

test('a failure on the way is said', async () => {
  expect(await startFirst([fails, works])).toEqual({
    service,
    description: 'works (docker failed: no such image)',
  })
})

test('no way at all is an answer', async () => {
  expect(await startFirst([absent])).toEqual({ service: undefined, description: 'none' })
})
