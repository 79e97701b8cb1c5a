import { expect, test } from 'vitest'

import { findExample, findFence } from './readme-example.ts'

test('takes only the first marked fence', () => {
  const readme =
    '# A\n```ts\nnot()\n```\n```ts example\nconst a = 1\n\nrun(a)\n```\n```ts example\nsecond()\n```\n'
  expect(findExample(readme)).toBe('const a = 1\n\nrun(a)\n')
})

test('finds nothing in a README without an example', () => {
  expect(findExample('# A\n```ts\nnot()\n```\n')).toBeUndefined()
  expect(findExample('```ts example\nnever closed\n')).toBeUndefined()
})

test('takes the fence with exactly the given opening', () => {
  const readme = '```sh ts-rest packages\nsecond\n```\n```sh ts-rest\nfirst\n```\n'
  expect(findFence(readme, 'sh ts-rest')).toBe('first\n')
  expect(findFence(readme, 'sh ts-rest packages')).toBe('second\n')
})
