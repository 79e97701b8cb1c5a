import { expect, test } from 'vitest'
import { findCommandProblem, isVaaniCommand } from './command-problems.ts'

test.each([
  './vaani login   # asks for the key',
  './vaani shadow status && ./vaani shadow promote --reason "Day 9"',
  "  ./vaani shadow promote --reason 'Day 9' ||",
  './vaani speak "Good morning." --language en-US --play',
  './vaani call place +9779812345678 --agent reminder --wait',
  'vaani profiles use staging',
  'vaani post /agent/calls --data @call.json',
  'vaani call list --json | head',
])('%s', async (line) => {
  expect(isVaaniCommand(line)).toBe(true)
  expect(await findCommandProblem(line)).toBeUndefined()
})

test.each([
  ['./vaani call plaice +9779812345678', 'unknown command: call plaice'],
  ['./vaani speak "Good morning." --language en-US --sing', 'speak has no --sing'],
  ['  ./vaani shadow promote --reasons "Day 9" ||', 'shadow promote has no --reasons'],
  ['vaani call place +9779812345678 --agents reminder', 'call place has no --agents'],
  ['vaani nothing', 'unknown command: nothing'],
])('%s is reported', async (line, problem) => {
  expect(await findCommandProblem(line)).toBe(problem)
})

test('ignores other programs', () => {
  expect(isVaaniCommand('npm start')).toBe(false)
  expect(isVaaniCommand('vaani-server')).toBe(false)
})
