/** What the server does, tried on pages of the console in a real browser. */
import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { decodeWav } from '@vaani/pcm-audio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConsoleBrowser, lookAt, startConsoleBrowser } from '@vaani/browser/console'
import { makePdf } from './support/documents.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

const PASSPORT = path.resolve(import.meta.dirname, '../../../packages/identity-checks/specimens/passport.jpg')
const HOSTILE = `'; touch /tmp/run; '<img src=x onerror="document.title='run'">`

let server: TestServer
let browser: ConsoleBrowser
beforeAll(async () => {
  server = await startTestServer()
  browser = await startConsoleBrowser(server)
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
})

describe('the playground', { tags: 'chromium' }, () => {
  test('speaks a text by keyboard alone, which is heard while it comes, and kept as a file on request', async () => {
    const { page, complaints } = await browser.openSignedIn('/playground')
    await page.getByLabel('Text', { exact: true }).fill('Good morning, this is a short reminder.')
    await page.getByLabel('Emotion').selectOption('calm')
    await page.getByRole('button', { name: 'Speak' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('First sound after').waitFor()
    const save = page.getByRole('button', { name: 'Download as WAV' })
    await save.focus()
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
    const { samples, format } = decodeWav(await readFile(await download.path()))
    expect(format.sampleRateHz).toBe(16_000)
    expect(samples.length / format.sampleRateHz).toBeGreaterThan(1.5)
    expect(Math.max(...samples)).toBeGreaterThan(2000)
    expect(complaints).toEqual([])
  })

  test('stops a speech at once, and keeps what has come', async () => {
    const { page, complaints } = await browser.openSignedIn('/playground')
    await page.getByLabel('Text', { exact: true }).fill('One more sentence that is spoken. '.repeat(20))
    await page.getByRole('button', { name: 'Speak' }).click()
    await page.getByText('First sound after').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('button', { name: 'Download as WAV' }).waitFor()
    expect(await page.getByRole('button', { name: 'Stop' }).isDisabled()).toBe(true)
    expect(complaints).toEqual([])
  })

  test('shows commands that send any text as it is', async () => {
    const { page } = await browser.openSignedIn('/playground')
    await page.getByLabel('Text', { exact: true }).fill(HOSTILE)
    await page.getByText('As code').click()
    const command = (await page.getByLabel('curl', { exact: true }).textContent()) ?? ''
    // The shell itself splits the command into words, and `curl` is a program that prints them.
    const words = execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }\n${command}`], {
      encoding: 'utf8',
      env: { KEY: 'key' },
    })
    const json = words.split('\n').find((word) => word.startsWith('{'))
    expect(JSON.parse(json ?? '')).toMatchObject({ model: 'stream-tts', input: HOSTILE })
  })

  test('reads a picture, and draws each word where it stands', async () => {
    const { page, complaints } = await browser.openSignedIn('/playground?try=document')
    await page.getByLabel('Picture or PDF').setInputFiles(PASSPORT)
    const surname = page.locator('.boxes rect', { hasText: 'ERIKSSON' }).first()
    await surname.waitFor()
    // Dark print on light paper within the box, in the middle of the picture.
    const [box, picture] = [await surname.boundingBox(), await page.locator('.boxes').boundingBox()]
    if (box === null || picture === null) throw new Error('Nothing is drawn')
    const [x, y] = [(box.x - picture.x) / picture.width, (box.y - picture.y) / picture.height]
    expect(x).toBeGreaterThan(0.3)
    expect(x).toBeLessThan(0.4)
    expect(y).toBeGreaterThan(0.22)
    expect(y).toBeLessThan(0.32)
    expect(await page.getByLabel('Text', { exact: true }).textContent()).toContain('ANNA MARIA')
    expect(complaints).toEqual([])
  })

  test('says why a file cannot be read, and reads the next', async () => {
    const { page } = await browser.openSignedIn('/playground?try=document')
    const file = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('No picture.') }
    await page.getByLabel('Picture or PDF').setInputFiles(file)
    await page.getByRole('alert').waitFor()
    const letter = makePdf([{ text: 'Please bring the letter' }])
    await page
      .getByLabel('Picture or PDF')
      .setInputFiles({ name: 'letter.pdf', mimeType: 'application/pdf', buffer: letter })
    await page.getByText('Please bring the letter').first().waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('chats by keyboard alone, and shows what is written as text', async () => {
    const { page, complaints } = await browser.openSignedIn('/playground?try=chat')
    await expect.poll(() => page.getByLabel('Model', { exact: true }).inputValue()).not.toBe('')
    await page.getByLabel('Message').fill(HOSTILE)
    await page.keyboard.press('Enter')
    await page.getByRole('listitem').filter({ hasText: 'Model' }).getByText(HOSTILE).waitFor()
    expect(await page.title()).toBe('Playground · Vaani')
    expect(complaints).toEqual([])
  })

  test('says what a key may not do', async () => {
    const { key } = await server.createAccount({}, ['calls:read'])
    const { page } = await browser.openSignedIn('/playground', {}, key)
    await page.getByRole('button', { name: 'Speak' }).click()
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('speech.stream')
  })

  test('is accessible in every size and colour', async () => {
    const { page } = await browser.openSignedIn('/playground')
    await page.getByRole('button', { name: 'Speak' }).click()
    await page.getByRole('button', { name: 'Download as WAV' }).waitFor()
    await page.getByText('As code').click()
    expect(await lookAt(page)).toEqual([])
    for (const name of ['Documents', 'Chat']) {
      await page.getByRole('button', { name }).click()
      await page.getByText('As code').click()
      expect(await lookAt(page)).toEqual([])
    }
  })
})
