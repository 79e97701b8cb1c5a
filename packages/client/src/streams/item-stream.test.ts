import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cutInto, cuts, streamOf } from '../../test/support/cut.ts'
import { createService } from '../../test/support/service.ts'
import { ApiError, TruncatedStreamError } from '../errors.ts'
import { createBatches } from '../resources/batches.ts'
import { createChat } from '../resources/chat.ts'

const REQUEST = { model: 'echo', messages: [] }
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const answer = (text: string, sizes: readonly number[] = [7]): Response =>
  new Response(streamOf(cutInto(bytesOf(text), sizes)))

const chatOf = (text: string, sizes?: readonly number[]) =>
  createChat(createService(() => answer(text, sizes)).options).stream(REQUEST)
const resultsOf = (text: string, sizes?: readonly number[]) =>
  createBatches(createService(() => answer(text, sizes)).options).results('batch_1')
const failureOf = async (stream: AsyncIterable<unknown>): Promise<unknown> => {
  try {
    await Array.fromAsync(stream)
  } catch (error) {
    return error
  }
  throw new Error('It was expected to fail')
}

/** An item as a server sends it; a top-level `error` would make it a failure. */
const item = fc.dictionary(
  fc.string().filter((name) => name !== 'error' && name !== '__proto__'),
  fc.jsonValue(),
)
const wire = (value: unknown): string => JSON.stringify(value)
const plain = (values: readonly unknown[]): unknown => JSON.parse(JSON.stringify(values))

describe('lines of JSON', () => {
  test('yield the items whatever the chunk boundaries', () =>
    fc.assert(
      fc.asyncProperty(fc.array(item), cuts, async (items, sizes) => {
        const text = items.map((item) => `${wire(item)}\n`).join('')
        expect(await Array.fromAsync(resultsOf(text, sizes))).toEqual(plain(items))
      }),
    ))

  test('may begin with a byte order mark', async () => {
    expect(await Array.fromAsync(resultsOf('\ufeff{"custom_id":"1"}\n', [1]))).toEqual([{ custom_id: '1' }])
  })

  test('fail after the complete items if a line is cut off, without its text', async () => {
    const seen: unknown[] = []
    const reading = async (): Promise<void> => {
      for await (const item of resultsOf('{"custom_id":"1"}\n{"custom_id":"secret')) seen.push(item)
    }
    const error = await reading().catch((error: unknown) => error)
    expect(seen).toEqual([{ custom_id: '1' }])
    expect(error).toBeInstanceOf(TruncatedStreamError)
    expect(String(error)).not.toContain('secret')
  })
})

describe('events', () => {
  test('yield the items up to the last event, whatever the chunk boundaries, comments and other fields', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.tuple(item, fc.constantFrom('data: ', 'data:'), fc.constantFrom('', ': ping\n\n', 'id: 7\n')),
        ),
        fc.constantFrom('\n', '\r\n'),
        cuts,
        async (items, end, sizes) => {
          const text = items.map(([item, field, before]) => `${before}${field}${wire(item)}\n\n`).join('')
          const whole = `${text}data: [DONE]\n\n`.replaceAll('\n', end)
          expect(await Array.fromAsync(chatOf(whole, sizes))).toEqual(plain(items.map(([item]) => item)))
        },
      ),
    ))

  test('with several data lines are one item', async () => {
    const text = 'data: {"choices":\ndata: []}\n\ndata: [DONE]\n\n'
    expect(await Array.fromAsync(chatOf(text))).toEqual([{ choices: [] }])
  })

  test('after the last one are ignored', async () => {
    expect(await Array.fromAsync(chatOf('data: [DONE]\n\ndata: {"choices":[]}\n\n'))).toEqual([])
  })

  test('fail if they end without the last one', async () => {
    expect(await failureOf(chatOf('data: {"choices":[]}\n\n'))).toBeInstanceOf(TruncatedStreamError)
    expect(await failureOf(chatOf('data: [DONE]'))).toBeInstanceOf(TruncatedStreamError)
  })

  test('with an error fail with its code and message', async () => {
    const error = await failureOf(
      chatOf('data: {"error":{"code":"service_unavailable","message":"the model is busy"}}\n\n'),
    )
    expect(ApiError.isInstance(error, 'models.chat') && error.code).toBe('service_unavailable')
    expect(String(error)).toContain('the model is busy')
  })
})

test('leaving the loop ends the connection', async () => {
  let canceled = false
  const body = new ReadableStream({
    pull: (controller) => controller.enqueue(bytesOf('{"custom_id":"1"}\n')),
    cancel: () => {
      canceled = true
    },
  })
  const { options, clock } = createService(() => new Response(body))
  for await (const item of createBatches(options).results('batch_1')) {
    expect(item.custom_id).toBe('1')
    break
  }
  expect(canceled).toBe(true)
  expect(clock.pending()).toBe(0)
})

test('an unread stream can be canceled', async () => {
  let canceled = false
  const body = new ReadableStream({
    cancel: () => {
      canceled = true
    },
  })
  const { options, clock, requests } = createService(() => new Response(body))
  const stream = await createBatches(options).results('batch_1')
  stream.cancel()
  expect(requests[0]?.signal.aborted).toBe(true)
  expect(clock.pending()).toBe(0)
  expect(canceled).toBe(true)
})
