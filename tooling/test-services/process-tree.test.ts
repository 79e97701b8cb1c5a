import { expect, test } from 'vitest'

import { ProcessTree, type ProcessTimes } from './process-tree.ts'

const [FILE, BROWSER, RENDERER, STRANGER] = [10, 20, 30, 40]

const running = (pid: number, parent: number, own: number, waitedFor = 0): ProcessTimes => ({
  pid,
  parent,
  startedAt: pid * 2,
  own,
  waitedFor,
})

test('a child counts while it runs, and once after its parent has waited for it', () => {
  const tree = new ProcessTree(FILE)
  expect(tree.observe([running(FILE, 1, 5), running(STRANGER, 1, 1000)])).toBe(5)
  expect(tree.observe([running(FILE, 1, 6), running(BROWSER, FILE, 7)])).toBe(13)
  expect(tree.observe([running(FILE, 1, 7, 9)])).toBe(16)
})

test('a child that started and ended unseen counts if its parent waited for it', () => {
  const tree = new ProcessTree(FILE)
  expect(tree.observe([running(FILE, 1, 5)])).toBe(5)
  expect(tree.observe([running(FILE, 1, 5, 3)])).toBe(8)
})

test('a process whose parent did not wait for it counts as it was last seen', () => {
  const tree = new ProcessTree(FILE)
  tree.observe([running(FILE, 1, 1), running(BROWSER, FILE, 2), running(RENDERER, BROWSER, 30)])
  expect(tree.observe([running(FILE, 1, 1, 2)])).toBe(33)
})

test('a process whose parent waited for it counts once, though its parent ended too', () => {
  const tree = new ProcessTree(FILE)
  tree.observe([running(FILE, 1, 1), running(BROWSER, FILE, 2), running(RENDERER, BROWSER, 30)])
  expect(tree.observe([running(FILE, 1, 1, 32)])).toBe(33)
})

test('a process that outlives its parent counts until its end', () => {
  const tree = new ProcessTree(FILE)
  tree.observe([running(FILE, 1, 1), running(BROWSER, FILE, 2), running(RENDERER, BROWSER, 3)])
  expect(tree.observe([running(FILE, 1, 1, 2), running(RENDERER, 1, 4)])).toBe(7)
  expect(tree.observe([running(FILE, 1, 1, 2)])).toBe(7)
})

test('a process that takes the id of an ended one is another', () => {
  const tree = new ProcessTree(FILE)
  tree.observe([running(FILE, 1, 1), running(BROWSER, FILE, 2)])
  expect(tree.observe([running(FILE, 1, 1, 2), { ...running(BROWSER, 1, 50), startedAt: 999 }])).toBe(3)
})
