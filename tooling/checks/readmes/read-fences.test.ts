import { expect, test } from 'vitest'
import { readFences } from './read-fences.ts'

test('reads each fence with its opening, its line and its given declarations', () => {
  const markdown = [
    '# A',
    '```ts example',
    'run()',
    '```',
    '',
    '<!-- given: declare const app: App',
    'declare const b: number -->',
    '',
    '```ts',
    'app.use(b)',
    '```',
    'Text',
    '```',
    'plain',
    '```',
  ].join('\n')
  expect(readFences(markdown)).toEqual([
    { opening: 'ts example', text: 'run()\n', given: '', line: 2 },
    {
      opening: 'ts',
      text: 'app.use(b)\n',
      given: 'declare const app: App\ndeclare const b: number',
      line: 9,
    },
    { opening: '', text: 'plain\n', given: '', line: 13 },
  ])
})

test('ignores a `given` comment before other text', () => {
  expect(readFences('<!-- given: declare const a: 1 -->\nText.\n\n```ts\na\n```\n')).toMatchObject([
    { given: '' },
  ])
})
