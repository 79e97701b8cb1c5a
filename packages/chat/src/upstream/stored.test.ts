import { expect, test } from 'vitest'
import { refuse } from '../test/chat-server.ts'
import { chatError, KEY, useServer } from '../test/use-server.ts'

const used = useServer()
const never = () => new AbortController().signal

test('files and batches are asked for by method and path, with the key of the server', async () => {
  const { stored } = used.open()
  const batch = { id: 'batch_1', status: 'validating' }
  const answer = (value: object) => used.server.next.push((response) => response.end(JSON.stringify(value)))
  answer({ id: 'file_1' })
  answer(batch)
  answer(batch)
  const file = { name: 'requests.jsonl', content: new Blob(['{}\n']) }
  const sent = { method: 'POST' as const, path: 'files', fields: { purpose: 'batch' }, file }
  expect(await stored.send(sent, never())).toEqual({ id: 'file_1' })
  const fields = { input_file_id: 'file_1' }
  expect(await stored.send({ method: 'POST', path: 'batches', fields }, never())).toEqual(batch)
  await stored.send({ method: 'GET', path: 'batches/batch_1' }, never())
  expect(used.server.requests).toMatchObject([
    {
      url: '/v1/files',
      headers: { authorization: `Bearer ${KEY}` },
      body: { purpose: 'batch', file: { text: '{}\n' } },
    },
    { url: '/v1/batches', body: fields },
    { url: '/v1/batches/batch_1', body: {} },
  ])
})

test('a file is read as it arrives, and one that breaks off fails', async () => {
  const { stored } = used.open()
  used.server.next.push(
    (response) => response.end('{"custom_id":"one"}\n'),
    (response) => response.writeHead(200, { 'content-length': '9' }).write('{}\n', () => response.destroy()),
  )
  const read = async () =>
    Buffer.concat(await Array.fromAsync(stored.read('files/file_1/content', never()))).toString()
  expect(await read()).toBe('{"custom_id":"one"}\n')
  await expect(read()).rejects.toEqual(chatError('provider_failed'))
})

test('what the server does not have is told from its other failures by the status', async () => {
  const { stored } = used.open()
  used.server.next.push(refuse(404), refuse(400, {}, { param: 'input_file_id' }))
  const ask = () => stored.send({ method: 'GET', path: 'files/file_1' }, never())
  await expect(ask()).rejects.toEqual(
    chatError('provider_failed', { cause: expect.objectContaining({ status: 404 }) }),
  )
  await expect(ask()).rejects.toEqual(chatError('request_refused', { param: 'input_file_id' }))
})
