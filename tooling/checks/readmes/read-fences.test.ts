import { expect, test } from 'vitest'
import { readFences } from './read-fences.ts'

test('reads each fence with its opening, its line and what it prints', () => {
  const markdown = [
    '# A',
    '```ts example',
    'run()',
    '```',
    '',
    '<!-- prints: {"a":1} -->',
    '',
    'Text',
    '```',
    'plain',
    '```',
  ].join('\n')
  expect(readFences(markdown)).toEqual([
    { opening: 'ts example', text: 'run()\n', prints: '{"a":1}', line: 2 },
    { opening: '', text: 'plain\n', prints: undefined, line: 9 },
  ])
})
