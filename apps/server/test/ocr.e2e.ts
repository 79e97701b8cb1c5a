import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { LIMITS, type OcrResult } from '@vaani/contracts'
import sharp from 'sharp'
import { thorough } from '@vaani/test-services/thorough'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drawPage, drawText, ENCRYPTED, makePdf } from './support/documents.ts'
import { formOf, makePassport, type Part } from './support/submissions.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { until } from '@vaani/test-services/until'

const PATH = '/v1/ocr/process'
const LINES = ['Please bring the letter from the clinic', 'on Thursday morning, 20 November.']

/** From the Universal Declaration of Human Rights. */
const RUSSIAN = [
  'Все люди рождаются свободными и равными в своем',
  'достоинстве и правах. Они наделены разумом и совестью',
  'и должны поступать в отношении друг друга в духе',
  'братства. Каждый человек должен обладать всеми правами',
  'и всеми свободами, провозглашенными настоящей',
  'Декларацией, без какого бы то ни было различия, как-то',
  'в отношении расы, цвета кожи, пола, языка, религии,',
  'политических или иных убеждений, национального или',
  'социального происхождения, имущественного, сословного',
  'или иного положения. Кроме того, не должно проводиться',
  'никакого различия на основе политического, правового',
  'или международного статуса страны или территории, к',
  'которой человек принадлежит, независимо от того,',
  'является ли эта территория независимой, подопечной.',
]

let server: TestServer
let key: string
let page: Buffer
beforeAll(async () => {
  server = await startTestServer({ config: { metricsPort: 0 } })
  ;({ key } = await server.createAccount({ tier: 'enterprise' }))
  page = await drawPage(LINES)
})
afterAll(() => server[Symbol.asyncDispose]())

const base64 = (bytes: Buffer) => bytes.toString('base64')
const read = (document: Buffer, fields: object = {}, headers: Record<string, string> = {}) =>
  server.json<OcrResult>(PATH, { key, body: { image_b64: base64(document), ...fields }, headers })

function send(parts: readonly Part[], on: { server?: TestServer; key?: string } = {}) {
  const { type, body } = formOf(parts)
  return (on.server ?? server).json<OcrResult>(PATH, {
    key: on.key ?? key,
    rawBody: body,
    headers: { 'content-type': type },
  })
}

describe('a document is read', () => {
  test('from JSON, with the place of every word', async () => {
    const { status, body } = await read(page)
    expect(status).toBe(200)
    expect(body).toMatchObject({ text: LINES.join('\n'), language: 'en' })
    expect(body.confidence).toBeGreaterThan(0.9)
    expect(body.pages).toMatchObject([
      { width: 1000, height: 220, rotation: 0, source: 'recognition', barcodes: [] },
    ])
    const [first, second] = body.pages[0]?.blocks.flatMap(({ lines }) => lines) ?? []
    expect(first?.words.map(({ text }) => text)).toEqual(LINES[0]?.split(' '))
    expect(first?.words[0]?.box.x).toSatisfy((x: number) => x > 55 && x < 70)
    expect(second?.box.y).toBeGreaterThan(first?.box.y ?? 1000)
    expect(body.fields).toBeUndefined()
  })

  test.each(thorough({ usual: [90, 3], long: [90, 180, 270, 3] }))(
    'turned by %i degrees',
    async (degrees) => {
      const turned = await sharp(page).rotate(degrees, { background: '#fff' }).jpeg().toBuffer()
      const { text, pages } = (await send([['image', turned]])).body
      expect(text).toBe(LINES.join('\n'))
      const upright = degrees === 3 ? -3 : degrees === 90 ? -90 : degrees === 180 ? 180 : 90
      expect(pages[0]?.rotation).toBeCloseTo(upright, 0)
    },
  )

  // Usually `columns.test.ts` and `find-tables.test.ts` tell columns from rows.
  const isThorough = thorough({ usual: false, long: true })
  test.runIf(isThorough)('column by column, where running text stands side by side', async () => {
    const columns = [
      'Members who renew early receive a card by post. The card is valid for one year from the first use. Lost cards are replaced free of charge once.',
      'Opening hours change in March. Please call before you visit the branch. The ground floor is open to everyone; upstairs needs an appointment.',
    ].map((text) => text.match(/.{1,24}(?: |$)/g) ?? [])
    const drawn = await drawText(
      columns.flatMap((lines, column) =>
        lines.map((text, line) => ({ text, x: 60 + column * 560, y: 90 + line * 50 })),
      ),
      { width: 1160, height: 480 },
    )
    const { body } = await read(drawn)
    const words = (text: string) => text.trim().split(/\s+/)
    expect(words(body.text)).toEqual(columns.flat().flatMap(words))
  })

  test.runIf(isThorough)('row by row, where cells stand side by side', async () => {
    const rows = [
      ['Item', 'Qty', 'Price'],
      ['Office chair', '2', '4,500.00'],
      ['Desk lamp', '5', '850.00'],
      ['Paper', '10', '420.00'],
      ['Delivery', '1', '500.00'],
    ]
    const drawn = await drawText(
      rows.flatMap((cells, row) =>
        cells.map((text, cell) => ({ text, x: [60, 480, 700][cell] ?? 0, y: 90 + row * 60 })),
      ),
      { height: 420 },
    )
    expect((await read(drawn)).body.text).toBe(rows.map((cells) => cells.join(' ')).join('\n'))
  })

  test('with its tables, of a picture with ruling lines and of a text layer in any order', async () => {
    const rows = [
      ['Product', 'Quantity', 'Price'],
      ['Office chair', '2', '4,500.00'],
      ['Desk lamp', '', '850.00'],
      ['Paper', '10', '420.00'],
    ]
    const texts = [
      { text: 'Please pay within 30 days of the date of this invoice.', x: 60, y: 60 },
      ...rows.flatMap((cells, row) =>
        cells.flatMap((text, cell) =>
          text === '' ? [] : [{ text, x: [60, 300, 440][cell] ?? 0, y: 120 + row * 40 }],
        ),
      ),
    ]
    const jpeg = await sharp(
      await drawText(
        texts.map(({ text, x, y }) => ({ text, x: x * 2, y: y * 2 })),
        { width: 1200, height: 600, rules: [80, 120, 160, 200, 240].map((y) => y * 2 + 36) },
      ),
    )
      .jpeg()
      .toBuffer()
    const pdf = makePdf([{ texts: texts.toReversed() }, { jpeg, width: 1200, height: 600 }])
    const { status, body } = await read(pdf)
    expect(status).toBe(200)
    expect(body.pages.map(({ source }) => source)).toEqual(['text_layer', 'recognition'])
    for (const { tables = [], blocks } of body.pages) {
      expect(tables.map((table) => table.rows.map((row) => row.map(({ text }) => text)))).toEqual([rows])
      const words = blocks.flatMap(({ lines }) => lines.flatMap((line) => line.words))
      expect(tables[0]?.rows[1]?.[2]?.box).toEqual(words.find(({ text }) => text === '4,500.00')?.box)
      expect(tables[0]?.rows[2]?.[1]).toEqual({ text: '' })
    }
    expect((await read(page)).body.pages[0]).not.toHaveProperty('tables')
  })

  test('with its headings, of a text layer and of a picture', async () => {
    const texts = [
      { text: 'Opening hours', x: 60, y: 60, size: 24 },
      { text: 'The clinic is open from nine to five on each weekday.', x: 60, y: 110, size: 12 },
      { text: 'Please call before you come, or ask for a time by post.', x: 60, y: 130, size: 12 },
      { text: 'Holidays', x: 60, y: 180, size: 17 },
      { text: 'On holidays the clinic on Quay Street is open until noon.', x: 60, y: 220, size: 12 },
      { text: 'Bring your card and the letter, if you have been here before.', x: 60, y: 240, size: 12 },
    ]
    const scaled = texts.map(({ text, x, y, size }) => ({ text, x: x * 2, y: y * 2, size: size * 2 }))
    const drawn = await drawText(scaled, { width: 1200, height: 600 })
    for (const document of thorough({ usual: [makePdf([{ texts }])], long: [makePdf([{ texts }]), drawn] })) {
      const { body } = await read(document)
      expect(body.pages[0]?.blocks.map(({ text, heading_level: level }) => [level, text])).toEqual([
        [1, 'Opening hours'],
        [undefined, `${texts[1]?.text}\n${texts[2]?.text}`],
        [2, 'Holidays'],
        [undefined, `${texts[4]?.text}\n${texts[5]?.text}`],
      ])
    }
  })

  test.each(thorough({ usual: ['6 pm'], long: ['8096', '6 pm', '60 dpi', 'Dr. Rai'] }))(
    'as it lies, if it has a few letters: %s',
    async (text) => {
      const drawn = await drawText([{ text, x: 60, y: 90, size: 42 }], { width: 300, height: 140 })
      const { body } = await read(drawn)
      expect(body).toMatchObject({ text, pages: [{ rotation: 0 }] })
    },
  )

  test('as it is seen, if a text layer says something else', async () => {
    const { body } = await read(
      makePdf([
        { text: 'Invoice total 4500 rupees', isMiscoded: true },
        { text: 'Invoice total 4500 rupees' },
      ]),
    )
    expect(body.text).toBe('Invoice total 4500 rupees\fInvoice total 4500 rupees')
    expect(body.pages.map(({ source }) => source)).toEqual(['recognition', 'text_layer'])
  })

  test('as its sender says, of how it lies and of its text layer', async () => {
    const upsideDown = await sharp(page).rotate(180).png().toBuffer()
    const lying = await read(upsideDown, { orientation: 'as_is' })
    expect(lying.body.pages).toMatchObject([{ rotation: 0 }])
    expect(lying.body.text).not.toContain('clinic')

    const text = 'Invoice total 4500 rupees'
    const pdf = makePdf([{ text, isMiscoded: true }, { text }])
    const sourcesOf = async (layer: string) => {
      const { body } = await send([
        ['text_layer', layer],
        ['image', pdf],
      ])
      return body.pages.map(({ source, blocks }) => [source, blocks[0]?.text])
    }
    expect(await sourcesOf('use')).toEqual([
      ['text_layer', 'Jowpjdf!upubm!5611!svqfft'],
      ['text_layer', text],
    ])
    expect(await sourcesOf('ignore')).toEqual([
      ['recognition', text],
      ['recognition', text],
    ])
  })

  test('as a PDF, of which a text layer is not recognized, and as a TIFF', async () => {
    const jpeg = await sharp(page).jpeg().toBuffer()
    const pdf = makePdf([{ text: 'Nothing to recognize 0O0O1l1l' }, { jpeg, width: 1000, height: 220 }])
    const { body } = await send([
      ['language', 'ne+en'],
      ['image', pdf],
    ])
    expect(body.text).toBe(`Nothing to recognize 0O0O1l1l\f${LINES.join('\n')}`)
    expect(body).toMatchObject({
      language: 'ne+en',
      pages: [{ source: 'text_layer', blocks: [{ confidence: 1 }] }, { source: 'recognition' }],
    })
    const { x, y } = body.pages[0]?.blocks[0]?.box ?? { x: 0, y: 0 }
    // 50 points from the left and 100 from the top, at 300 dpi.
    expect(x).toSatisfy((left: number) => Math.abs(left - (50 * 300) / 72) < 15)
    expect(y).toSatisfy((top: number) => Math.abs(top - (85 * 300) / 72) < 20)
    const tiff = await sharp(page).tiff().toBuffer()
    expect((await read(tiff)).body.text).toBe(LINES.join('\n'))
  })

  test('from a page that leaves its inputs empty', async () => {
    const { status, body } = await send([
      ['language', ''],
      ['orientation', ''],
      ['text_layer', ''],
      ['image', page],
    ])
    expect({ status, text: body.text }).toEqual({ status: 200, text: LINES.join('\n') })
  })

  test('with the fields of its machine-readable zone', async () => {
    const { body } = await read(await makePassport())
    expect(body.fields).toMatchObject({
      document_number: expect.stringMatching(/^[A-Z0-9]{6,9}$/),
      surname: expect.any(String),
      mrz: expect.stringMatching(/^P.{43}\n.{44}$/),
    })
  })

  test('as text alone, unless JSON is accepted too', async () => {
    const wanted = { key, body: { image_b64: base64(page) } }
    const response = await server.fetch(PATH, { ...wanted, headers: { accept: 'text/plain' } })
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await response.text()).toBe(LINES.join('\n'))
    expect((await read(page, {}, { accept: 'application/json, text/plain, */*' })).body.language).toBe('en')
  })

  test('again for the same idempotency key, because nothing is stored', async () => {
    const headers = { 'idempotency-key': 'letter' }
    const letter = makePdf([{ text: 'The letter from the clinic' }])
    const first = await read(letter, {}, headers)
    const again = await read(letter, {}, headers)
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    const rows = await server.context.database.selectFrom('idempotency_keys').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain('clinic')
    expect(await read(letter, { language: 'hi' }, headers)).toMatchObject({ status: 409 })
  })
})

/** A PNG of 30,000 x 30,000 pixels in a few bytes. */
function makeBomb(): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const content = Buffer.concat([Buffer.from(type), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(content))
    return Buffer.concat([length, content, sum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(30_000, 0)
  header.writeUInt32BE(30_000, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const pixels = deflateSync(Buffer.alloc(30_000 * 3751), { level: 1 })
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

describe('a document is refused', () => {
  const text = { text: 'Page' }
  test.each<[string, () => Buffer, string]>([
    ['that is empty', () => Buffer.alloc(0), 'empty'],
    ['that breaks off', () => page.subarray(0, page.length / 2), 'damaged'],
    ['with too many pixels', makeBomb, 'million pixels'],
    ['with too many pages', () => makePdf(Array.from({ length: 51 }, () => text)), '51 pages'],
    ['that is encrypted', () => makePdf([text], ENCRYPTED), 'password'],
    ['that is a PDF in name only', () => Buffer.from('%PDF-1.7 nothing else'), 'damaged'],
    ['that is HTML', () => Buffer.from('<!doctype html><html></html>'), 'is not a JPEG'],
    ['that is an SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'is not a JPEG'],
  ])('%s', async (_, document, message) => {
    const answer = await send([['image', document()]])
    expect(answer).toMatchObject({
      status: 422,
      body: { error: { code: 'media_unreadable', param: 'image' } },
    })
    expect(JSON.stringify(answer.body)).toContain(message)
    // Nothing of it stays.
    const unsealed = path.join(server.context.settings.dataDirectory, 'unsealed')
    const files = await readdir(unsealed, { recursive: true, withFileTypes: true })
    expect(files.filter((entry) => entry.isFile() && !entry.name.endsWith('.lock'))).toEqual([])
  })

  test('in a script whose data is not installed, unless another page can be read', async () => {
    const drawn = await drawPage(RUSSIAN)
    const message =
      'is in the script Cyrillic, which this server cannot read; it needs @tesseract.js-data/rus for ru, or @tesseract.js-data/ukr for uk'
    expect(await read(drawn)).toMatchObject({
      status: 422,
      body: {
        error: { code: 'media_unreadable', param: 'image', message: expect.stringContaining(message) },
      },
    })
    const { width = 1, height = 1 } = await sharp(drawn).metadata()
    const jpeg = await sharp(drawn).jpeg().toBuffer()
    const { status, body } = await read(makePdf([{ text: 'Covering letter' }, { jpeg, width, height }]))
    expect(status).toBe(200)
    expect(body.pages).toMatchObject([
      { source: 'text_layer' },
      { blocks: [], error: { code: 'other_script', message } },
    ])
    expect(body.pages[0]?.error).toBeUndefined()
  })

  const image: Part = ['image', Buffer.from('GIF89a')]
  test.each<[string, Part[], number, string, string]>([
    ['that is missing', [], 400, 'missing_artifact', 'image'],
    ['that is text', [['image', 'GIF89a']], 400, 'missing_artifact', 'image'],
    ['that is sent twice', [image, image], 400, 'invalid_request', 'image'],
    ['beside another part', [image, ['pages', '1']], 400, 'invalid_request', 'pages'],
    ['in a language that is no line', [['language', 'e\nn'], image], 400, 'invalid_request', 'language'],
    ['with its orientation in words', [['orientation', 'up'], image], 400, 'invalid_request', 'orientation'],
    [
      'with its layer named twice',
      [['text_layer', 'use'], ['text_layer', 'use'], image],
      400,
      'invalid_request',
      'text_layer',
    ],
    ['in a language without data', [['language', 'eo'], image], 400, 'invalid_request', 'language'],
    [
      'that is too large',
      [['image', Buffer.alloc(LIMITS.imageBytes + 1)]],
      413,
      'payload_too_large',
      'image',
    ],
  ])('%s', async (_, parts, status, code, param) => {
    expect(await send(parts)).toMatchObject({ status, body: { error: { code, param } } })
  })

  test.each<[object, string, string | null]>([
    [{}, 'missing_artifact', 'image_b64'],
    [{ image_b64: '' }, 'missing_artifact', 'image_b64'],
    [{ image_b64: 'no base64!' }, 'invalid_request', 'image_b64'],
    [{ image_b64: 'data:image/png;base64,AAAA' }, 'invalid_request', 'image_b64'],
    [{ image_b64: 'AAAA', language: 7 }, 'invalid_request', 'language'],
    [{ image_b64: 'AAAA', dpi: 300 }, 'invalid_request', 'dpi'],
  ])('in JSON like %j', async (body, code, param) => {
    expect(await server.json(PATH, { key, body })).toMatchObject({
      status: 400,
      body: { error: { code, param } },
    })
  })

  test('as another type, in a form that breaks off, and without the scope', async () => {
    const raw = (type: string, body: Buffer) =>
      server.json(PATH, { key, rawBody: body, headers: { 'content-type': type } })
    expect(await raw('text/plain', page)).toMatchObject({ status: 415 })
    expect(await raw('multipart/form-data', page)).toMatchObject({ status: 415 })
    const { type, body } = formOf([['image', page]])
    expect(await raw(type, body.subarray(0, 300))).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request' } },
    })
    const { key: reader } = await server.createAccount({}, ['calls:read'])
    expect(await send([['image', page]], { key: reader })).toMatchObject({ status: 403 })
  })
})

test('a page that takes too long is ended, and so is the next one', async () => {
  await using hurried = await startTestServer({ config: { ocrPageSeconds: 0.05 } })
  for (const _ of thorough({ usual: [1], long: [1, 2] })) {
    const { status, body } = await send([['image', page]], { server: hurried, key: hurried.key })
    expect({ status, body }).toMatchObject({
      status: 422,
      body: {
        error: {
          code: 'media_unreadable',
          param: 'image',
          message: 'image: has a page 1 that takes more than 0.05 s of processor time to read',
        },
      },
    })
  }
})

test('a caller who leaves frees the reader, and one with too much waiting is told to come again', async () => {
  const { key: own } = await server.createAccount({ tier: 'enterprise' })
  const jpeg = await sharp(page).resize(3000).jpeg().toBuffer()
  const long = makePdf(
    Array.from({ length: LIMITS.ocrPagesAtOnce }, () => ({ jpeg, width: 3000, height: 660 })),
  )
  const leaving = new AbortController()
  const body = JSON.stringify({ image_b64: base64(long) })
  const left = server.fetch(PATH, { key: own, rawBody: body, signal: leaving.signal })
  const { path: folder } = server.context.unsealed
  await until(
    async () => {
      const [name] = await readdir(folder)
      return name === undefined ? 0 : (await stat(path.join(folder, name))).size
    },
    (bytes) => bytes === long.length,
  )
  const short = { image_b64: base64(makePdf([{ text: 'Short' }])) }
  const answers: { status: number; retryAfter: string | null }[] = []
  const asked = Array.from({ length: 90 }, async () => {
    const { status, headers } = await server.json(PATH, { key: own, body: short })
    answers.push({ status, retryAfter: headers.get('retry-after') })
  })
  // The long document takes all that the account may use, so of the others 64 wait.
  await until(
    async () => answers.length,
    (count) => count >= 90 - 64 - 2,
  )
  for (const answer of answers) expect(answer).toEqual({ status: 503, retryAfter: '5' })
  leaving.abort()
  await expect(left).rejects.toThrow('aborted')
  await Promise.all(asked)
  const served = answers.filter(({ status }) => status === 200).length
  const metrics = await server.scrape()
  expect(metrics).toContain('vaani_documents_total{outcome="left"} 1')
  expect(metrics).toContain(`vaani_documents_total{outcome="busy"} ${answers.length - served}`)
  expect(served).toBeGreaterThanOrEqual(60)
})
