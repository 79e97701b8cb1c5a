import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { createHostResolver } from './resolve-host.ts'

type Answers = Readonly<Record<string, { A?: string; AAAA?: string }>>

const QUERY_HEADER_BYTES = 12
const TYPE_A = 1
const TYPE_AAAA = 28
const RCODE_NAME_ERROR = 3
/** A response to a recursive query, without an error. */
const RESPONSE_FLAGS = 0x8180

let cleanUps: (() => void)[] = []

afterEach(() => {
  for (const cleanUp of cleanUps) cleanUp()
  cleanUps = []
})

/** Starts a name server that serves `answers`, with addresses in hexadecimal, and records the names queried. */
async function startNameServer(answers: Answers) {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, { address, port }) => {
    const { name, end } = readName(query)
    asked.push(name)
    const type = query.readUInt16BE(end)
    const record = answers[name]
    const data = type === TYPE_A ? record?.A : type === TYPE_AAAA ? record?.AAAA : undefined
    socket.send(
      respond(query.subarray(0, end + 4), { type, data, known: record !== undefined }),
      port,
      address,
    )
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  cleanUps.push(() => socket.close())
  return { servers: [`127.0.0.1:${socket.address().port}`], asked }
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let offset = QUERY_HEADER_BYTES
  for (let length = query[offset] ?? 0; length > 0; length = query[offset] ?? 0) {
    labels.push(query.toString('latin1', offset + 1, offset + 1 + length))
    offset += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: offset + 1 }
}

function respond(
  headerAndQuestion: Buffer,
  { type, data, known }: { type: number; data: string | undefined; known: boolean },
): Buffer {
  const response = Buffer.from(headerAndQuestion)
  response.writeUInt16BE(RESPONSE_FLAGS | (known ? 0 : RCODE_NAME_ERROR), 2)
  response.writeUInt16BE(data === undefined ? 0 : 1, 6)
  response.writeUInt32BE(0, 8)
  if (data === undefined) return response
  const address = Buffer.from(data, 'hex')
  const record = Buffer.alloc(12)
  record.writeUInt16BE(0xc0_00 | QUERY_HEADER_BYTES, 0)
  record.writeUInt16BE(type, 2)
  record.writeUInt16BE(1, 4)
  record.writeUInt16BE(address.length, 10)
  return Buffer.concat([response, record, address])
}

describe('createHostResolver', () => {
  it('returns the addresses of both families', async () => {
    const { servers } = await startNameServer({
      'both.example.com': { A: '5db8d70e', AAAA: '20014860486000000000000000008888' },
      'four.example.com': { A: '5db8d70e' },
      'six.example.com': { AAAA: '20014860486000000000000000008888' },
    })
    const resolve = createHostResolver({ servers })
    expect(await resolve('both.example.com')).toEqual(['93.184.215.14', '2001:4860:4860::8888'])
    expect(await resolve('four.example.com')).toEqual(['93.184.215.14'])
    expect(await resolve('six.example.com')).toEqual(['2001:4860:4860::8888'])
  })

  it('rejects if a name has no addresses or does not exist', async () => {
    const { servers } = await startNameServer({ 'empty.example.com': {} })
    const resolve = createHostResolver({ servers })
    await expect(resolve('empty.example.com')).rejects.toMatchObject({ code: 'ENODATA' })
    await expect(resolve('nobody.example.com')).rejects.toMatchObject({ code: 'ENOTFOUND' })
    await expect(resolve(`${'a'.repeat(64)}.example.com`)).rejects.toThrow()
  })

  it('does not query the DNS for localhost', async () => {
    const { servers, asked } = await startNameServer({ localhost: { A: '0a000001' } })
    const resolve = createHostResolver({ servers })
    for (const name of ['localhost', 'localhost.', 'app.localhost'])
      expect(await resolve(name)).toEqual(['127.0.0.1', '::1'])
    expect(asked).toEqual([])
  })
})
