import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDocumentReader, type DocumentReader } from './document-reader.ts'
import { textOf } from '../ocr/layout.ts'

let folder: string
let file: string
let reader: DocumentReader
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'documents-'))
  file = path.join(folder, 'page')
  sharp.unblock({ operation: ['VipsForeignLoadSvg'] })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="700" height="160" font-family="DejaVu Serif" font-size="32">
    <rect width="100%" height="100%" fill="white"/><text x="40" y="90">The letter from the clinic</text></svg>`
  await writeFile(file, await sharp(Buffer.from(svg)).png().toBuffer())
  reader = createDocumentReader({ places: 2 })
})
afterAll(async () => {
  await reader?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const read = (options: { signal?: AbortSignal; languages?: string[] } = {}) =>
  reader.read({ file, languages: ['eng'], ...options })
const textsOf = async (pages: ReturnType<typeof read>) => (await pages).map(({ blocks }) => textOf(blocks))

test('reads on in another language and back', async () => {
  expect(await textsOf(read())).toEqual(['The letter from the clinic'])
  expect(await textsOf(read({ languages: ['eng', 'hin'] }))).toEqual(['The letter from the clinic'])
  expect(await textsOf(read())).toEqual(['The letter from the clinic'])
})

test('ends a job that is aborted, and reads the next document', async () => {
  const controller = new AbortController()
  const aborted = expect(read({ signal: controller.signal })).rejects.toMatchObject({ code: 'aborted' })
  const other = read()
  controller.abort()
  await aborted
  expect(await textsOf(other)).toEqual(['The letter from the clinic'])
  await expect(read({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' })
})

test('names the limit that a page exceeds', async () => {
  await using hurried = createDocumentReader({ places: 2, pageProcessorMs: 50 })
  for (const start of [
    () => hurried.read({ file, languages: ['eng'] }),
    () => hurried.readPage({ file, languages: ['eng'] }, 0),
  ])
    await expect(start()).rejects.toMatchObject({
      code: 'decoding_timeout',
      message: 'has a page 1 that takes more than 0.05 s of processor time to read',
    })
})

test('counts the pages of a document, and reads one of them', async () => {
  expect(await reader.countPages({ file })).toBe(1)
  const { blocks } = await reader.readPage({ file, languages: ['eng'] }, 0)
  expect(textOf(blocks)).toBe('The letter from the clinic')
})

test('counts the pages of a document before its owner is served those that were sent earlier', async () => {
  const order: string[] = []
  const reading = Array.from({ length: 4 }, async () => {
    await read()
    order.push('read')
  })
  await reader.countPages({ file })
  order.push('counted')
  await Promise.all(reading)
  expect(order.indexOf('counted')).toBeLessThan(4)
})

test('ends idle processes, and starts others', async () => {
  await using resting = createDocumentReader({ places: 2, idleMs: 0 })
  for (const _ of [1, 2])
    expect(await textsOf(resting.read({ file, languages: ['eng'] }))).toEqual(['The letter from the clinic'])
})
