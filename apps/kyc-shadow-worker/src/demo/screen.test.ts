import { expect, test } from 'vitest'
import { createScreen } from './screen.ts'

test('what is said has the time since the start, and long lines are broken under it', () => {
  let nowMs = 5000
  const lines: string[] = []
  const screen = createScreen(
    (text) => lines.push(text),
    () => nowMs,
  )
  screen.title('Begin')
  nowMs += 61_500
  screen.say(`${'word '.repeat(20)}end`)
  screen.note('http://127.0.0.1/')
  expect(lines).toEqual([
    '\n1. Begin\n',
    `1:01   ${'word '.repeat(18).trimEnd()}\n`,
    '       word word end\n',
    '       http://127.0.0.1/\n',
  ])
})
