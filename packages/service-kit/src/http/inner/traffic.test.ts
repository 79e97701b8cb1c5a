import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createTraffic } from './traffic.ts'

const makeResponse = () => new ServerResponse(new IncomingMessage(new Socket()))

function start() {
  let now = 0
  const traffic = createTraffic(() => now)
  return { traffic, pass: (ms: number) => (now += ms) }
}

test('it is quiet before the first request and a moment after the last', () => {
  const { traffic, pass } = start()
  expect(traffic.isQuiet(3)).toBe(true)
  const [first, second] = [makeResponse(), makeResponse()]
  traffic.enter(first)
  traffic.enter(second)
  pass(10)
  first.emit('close')
  pass(10)
  expect(traffic.isQuiet(3)).toBe(false)
  second.emit('close')
  pass(2)
  expect(traffic.isQuiet(3)).toBe(false)
  pass(1)
  expect(traffic.isQuiet(3)).toBe(true)
})

test('a long request counts for its first second', () => {
  const { traffic, pass } = start()
  const response = makeResponse()
  traffic.enter(response)
  pass(999)
  expect(traffic.isQuiet(3)).toBe(false)
  pass(1)
  expect(traffic.isQuiet(3)).toBe(true)
  response.emit('close')
  expect(traffic.isQuiet(3)).toBe(true)
})
