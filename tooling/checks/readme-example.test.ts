import { expect, test } from 'vitest'

import { findExample } from './readme-example.ts'

test('takes the first fence that is marked, and only that', () => {
  const readme =
    '# A\n```ts\nnot()\n```\n```ts example\nconst a = 1\n\nrun(a)\n```\n```ts example\nsecond()\n```\n'
  expect(findExample(readme)).toBe('const a = 1\n\nrun(a)\n')
})

test('finds nothing in a README without one', () => {
  expect(findExample('# A\n```ts\nnot()\n```\n')).toBeUndefined()
  expect(findExample('```ts example\nnever closed\n')).toBeUndefined()
})
