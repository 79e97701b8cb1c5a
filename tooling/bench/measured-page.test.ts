import { expect, test } from 'vitest'
import { measuredPage } from './measured-page.ts'

const options = {
  source: '/**\n * `pnpm bench sums`: how fast sums\n * are added.\n */\nconsole.log(1)\n',
  command: 'pnpm bench sums 20',
  page: 'docs/measured/sums.md',
  machine: '2 × Processor',
  date: new Date('2026-11-22T10:00:00Z'),
}

test('a page has the command, the purpose, the date, the machine and the output', () => {
  expect(measuredPage({ ...options, output: '\u{1B}[1mours 1.2 of theirs\u{1B}[0m\n' })).toBe(
    [
      '# `pnpm bench sums 20`',
      'How fast sums\nare added.',
      'Written by `pnpm bench sums 20 --write docs/measured/sums.md` on 2026-11-22: 2 × Processor. Compare ratios, not absolute figures.',
      '```text\nours 1.2 of theirs\n```\n',
    ].join('\n\n'),
  )
})

test('tables stay tables', () => {
  const output = 'Sums:\n\n| a | b |\n| - | - |\n| 1 | 2 |\n'
  expect(measuredPage({ ...options, output })).toContain(`figures.\n\n${output}`)
})

test('the output of console.table becomes a Markdown table', () => {
  const output = [
    'before',
    '┌─────────┬───────┐',
    '│ (index) │ stall │',
    '├─────────┼───────┤',
    "│ 0       │ 'no'  │",
    '└─────────┴───────┘',
    'after',
  ].join('\n')
  expect(measuredPage({ ...options, output })).toContain(
    '```text\nbefore\n```\n\n| stall |\n| - |\n| no |\n\n```text\nafter\n```\n',
  )
})
