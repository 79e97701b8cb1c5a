import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTaskQueue, type TaskQueue } from './task-queue.ts'

function makeQueue() {
  let nowMs = 0
  const queue = createTaskQueue<string>(() => nowMs)
  return {
    queue,
    pass: (ms: number) => void (nowMs += ms),
    first: (task: string, tenant = 'a') => queue.add({ task, priority: 'first', tenant }),
    later: (task: string, tenant = 'a') => queue.add({ task, priority: 'later', tenant }),
  }
}
function drain(queue: TaskQueue<string>): string[] {
  const tasks: string[] = []
  for (let task = queue.take(); task !== undefined; task = queue.take()) tasks.push(task)
  return tasks
}

test('first segments precede later ones, each kind in its order', () => {
  const { queue, first, later } = makeQueue()
  later('later 1')
  first('first 1')
  later('later 2')
  first('first 2')
  expect(drain(queue)).toEqual(['first 1', 'first 2', 'later 1', 'later 2'])
})

test('tenants take turns regardless of how many tasks each has', () => {
  const { queue, first } = makeQueue()
  for (let index = 0; index < 500; index++) first(`burst ${index}`, 'busy')
  first('b', 'b')
  first('c 1', 'c')
  first('c 2', 'c')
  expect(drain(queue).slice(0, 6)).toEqual(['burst 0', 'b', 'c 1', 'burst 1', 'c 2', 'burst 2'])
})

test('whoever would hear a gap first precedes others, before it is heard', () => {
  const { queue, later, pass, first } = makeQueue()
  const add = (task: string, aheadMs: number) => queue.add({ task, priority: 'later', tenant: 'a', aheadMs })
  add('3 s', 3000)
  add('0.4 s', 400)
  add('0.6 s', 600)
  later('nobody listens')
  expect(queue.urgentSize()).toBe(0)
  first('first 1')
  pass(200)
  // With 0.2 s left, the first of them takes its turn between the two that nobody has heard.
  expect(queue.urgentSize()).toBe(2)
  first('first 2')
  expect(drain(queue)).toEqual(['first 1', '0.4 s', 'first 2', '0.6 s', 'nobody listens', '3 s'])
  expect(queue.urgentSize()).toBe(0)
})

test('a listener of a tenant with many waits for one task of another', () => {
  const { queue, pass } = makeQueue()
  for (let index = 0; index < 500; index++)
    queue.add({ task: `busy ${index}`, priority: 'later', tenant: 'busy', aheadMs: 300 })
  queue.add({ task: 'own', priority: 'later', tenant: 'own', aheadMs: 400 })
  pass(250)
  expect(drain(queue).indexOf('own')).toBe(1)
})

test('removes a task, and gives a tenant without tasks no turn', () => {
  const { queue, first, later } = makeQueue()
  first('a', 'a')
  later('b', 'b')
  first('c', 'c')
  queue.remove('a')
  queue.remove('unknown')
  expect([queue.size(), queue.sizeOf('a'), queue.sizeOf('b')]).toEqual([2, 0, 1])
  expect(drain(queue)).toEqual(['c', 'b'])
  expect([queue.size(), queue.sizeOf('b')]).toEqual([0, 0])
})

test('any sequence of steps returns each task once unless it was removed', () => {
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('add' as const),
      tenant: fc.constantFrom('a', 'b', 'c'),
      priority: fc.constantFrom('first' as const, 'later' as const),
    }),
    fc.record({ kind: fc.constantFrom('take' as const, 'remove' as const), pick: fc.nat() }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const queue = createTaskQueue<number>(() => 0)
      const waiting: number[] = []
      let count = 0
      for (const one of steps) {
        if (one.kind === 'add') {
          queue.add({ task: count, priority: one.priority, tenant: one.tenant })
          waiting.push(count++)
        } else if (one.kind === 'remove') {
          const [task] = waiting.splice(one.pick % Math.max(1, waiting.length), 1)
          if (task !== undefined) queue.remove(task)
        } else {
          const task = queue.take()
          if (task === undefined) expect(waiting).toEqual([])
          else expect(waiting.splice(waiting.indexOf(task), 1)).toEqual([task])
        }
        expect(queue.size()).toBe(waiting.length)
      }
    }),
  )
})
