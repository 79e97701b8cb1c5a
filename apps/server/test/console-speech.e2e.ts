/** Speech, tried on pages of the console in a real browser: over a WebSocket, with a microphone, and its watermark. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConsoleBrowser, lookAt, startConsoleBrowser } from '@vaani/browser/console'
import { recordSpeaker } from './support/recordings.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

let server: TestServer
let browser: ConsoleBrowser
let folder: string
beforeAll(async () => {
  server = await startTestServer()
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-console-'))
  // The microphone hears the speaker again and again.
  const speaker = path.join(folder, 'speaker.wav')
  await writeFile(speaker, await recordSpeaker('woman'))
  browser = await startConsoleBrowser(server, {
    flags: ['--use-fake-device-for-media-stream', `--use-file-for-fake-audio-capture=${speaker}`],
  })
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
  if (folder) await rm(folder, { recursive: true, force: true })
})

describe('speech while one types', { tags: 'chromium' }, () => {
  /** Opens the page, and notes what it sends over its WebSocket. */
  async function open() {
    const tab = await browser.openSignedIn('/playground?try=live')
    const sent: string[] = []
    tab.page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sent.push(String(payload))))
    await tab.page.getByRole('button', { name: 'Begin' }).focus()
    await tab.page.keyboard.press('Enter')
    const field = tab.page.getByLabel('Say')
    await expect.poll(() => field.evaluate((element) => element.matches(':focus'))).toBe(true)
    const factOf = (name: string) => tab.page.locator('dt', { hasText: name }).locator('+ dd')
    return { ...tab, sent, field, factOf }
  }

  test('is heard sentence by sentence, with the emotion that was chosen in the middle of one', async () => {
    const { page, sent, field, factOf, complaints } = await open()
    await page.keyboard.type('I was sad, but then ')
    await page.getByLabel('Emotion').selectOption('excited')
    await field.focus()
    await page.keyboard.type('it changed! And now I laugh.')
    await expect.poll(() => factOf('Heard now').textContent()).toBe('I was sad, but then it changed!')
    await page.keyboard.press('Enter')
    await expect.poll(() => factOf('Heard now').textContent()).toBe('And now I laugh.')
    await expect.poll(() => factOf('Heard now').textContent()).toBe('–')
    expect(await factOf('First sound after').textContent()).toMatch(/\d (?:ms|s)$/)
    expect(sent.map((one) => JSON.parse(one))).toEqual([
      ...['I ', 'was ', 'sad, ', 'but ', 'then '].map((text) => ({ type: 'speak', text })),
      { type: 'emotion', emotion: 'excited' },
      ...['it ', 'changed! ', 'And ', 'now ', 'I ', 'laugh. '].map((text) => ({ type: 'speak', text })),
      { type: 'flush' },
    ])
    expect(await page.getByLabel('What you said').getByText('excited').count()).toBe(1)
    expect(complaints).toEqual([])
  })

  test('is silent at once when it is interrupted from the field, and goes on with what is typed next', async () => {
    const { page, field, factOf, complaints } = await open()
    await field.fill('This is a long story that nobody asked for. '.repeat(20))
    await expect
      .poll(() => factOf('Heard now').textContent())
      .toBe('This is a long story that nobody asked for.')
    await page.keyboard.press('Escape')
    await expect.poll(() => factOf('Silent after').textContent()).toMatch(/^\d+ ms$/)
    await expect.poll(() => factOf('Server stopped after').textContent()).toMatch(/^\d+ ms$/)
    expect(await factOf('Heard now').textContent()).toBe('–')
    await page.keyboard.type('Yes, what is it?')
    await page.keyboard.press('Enter')
    await expect.poll(() => factOf('Heard now').textContent()).toBe('Yes, what is it?')
    await page.getByRole('button', { name: 'End' }).click()
    await page.getByRole('button', { name: 'Begin' }).and(page.locator(':enabled')).waitFor()
    expect(complaints).toEqual([])
  })

  test('asks to sign in again if the session has ended meanwhile', async () => {
    const { page } = await open()
    await page.getByRole('button', { name: 'End' }).click()
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Begin' }).click()
    await page.getByLabel('API key').waitFor()
  })

  test('is accessible in every size and colour', async () => {
    const { page, field } = await open()
    await field.fill('Hello there. ')
    await page.getByLabel('Emotion').selectOption('calm')
    await page.getByRole('button', { name: 'Interrupt' }).click()
    await page.getByText('As code').click()
    expect(await lookAt(page)).toEqual([])
  })
})

describe('a voice made with the microphone', { tags: 'chromium' }, () => {
  const open = async ({ permissions = ['microphone'] } = {}) => {
    const { key } = await server.createAccount()
    const tab = await browser.openSignedIn('/playground?try=clone', { permissions }, key)
    const secondsOf = async () => Number.parseFloat((await tab.page.getByRole('timer').textContent()) ?? '')
    const act = (name: string) => tab.page.getByRole('button', { name, exact: true })
    return { ...tab, secondsOf, act, key }
  }

  test('is recorded, made, heard and deleted by keyboard alone', async () => {
    const { page, key, complaints, secondsOf, act } = await open()
    const press = async (name: string) => {
      await act(name).focus()
      await page.keyboard.press('Enter')
    }
    expect(await act('Clone the voice').isDisabled()).toBe(true)
    await press('Record')
    const level = page.getByRole('meter', { name: 'Level' })
    await expect.poll(async () => Number(await level.getAttribute('value'))).toBeGreaterThan(-50)
    await expect.poll(secondsOf).toBeGreaterThan(8)
    await press('Stop')
    await page.getByLabel('Name').fill('Sita')
    await press('Clone the voice')
    // The consent is missing.
    expect((await server.json('/v1/voices', { key })).body).toMatchObject({ data: [] })
    await page.getByLabel(/consents to this voice/).focus()
    await page.keyboard.press('Space')
    await press('Clone the voice')
    await page.getByRole('heading', { name: 'Sita' }).waitFor()
    expect((await server.json('/v1/voices', { key })).body).toMatchObject({
      data: [{ name: 'Sita', language: 'en-US' }],
    })
    await press('Speak')
    await page.getByRole('figure').locator('audio').waitFor()
    await press('Delete the voice')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the voice' }).press('Enter')
    await act('Record').waitFor()
    expect((await server.json('/v1/voices', { key })).body).toMatchObject({ data: [] })
    expect(complaints).toEqual([])
  })

  test('is refused in words, and may be recorded again', async () => {
    const { page, secondsOf, act } = await open()
    // A microphone that hears nothing.
    await page.evaluate(
      'void (navigator.mediaDevices.getUserMedia = async () => new AudioContext().createMediaStreamDestination().stream)',
    )
    await act('Record').click()
    await expect.poll(secondsOf).toBeGreaterThan(0.4)
    await act('Stop').click()
    await page.getByLabel('Name').fill('Sita')
    await page.getByLabel(/consents to this voice/).check()
    await act('Clone the voice').click()
    await page.getByRole('alert').waitFor()
    const reasons = await page.getByRole('alert').getByRole('listitem').allTextContents()
    expect(reasons).toContainEqual(expect.stringContaining('too little speech'))
    expect(await lookAt(page)).toEqual([])
    await act('Record again').click()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('says that the browser does not give the microphone, and asks for nothing without the scope', async () => {
    const { page, act } = await open({ permissions: [] })
    await act('Record').click()
    await page.getByText('does not let this page use the microphone').waitFor()
    const { key } = await server.createAccount({}, ['speech:write'])
    const other = await browser.openSignedIn('/playground?try=clone', {}, key)
    await other.page.getByText('You may not').waitFor()
    expect(await other.page.getByRole('button', { name: 'Record' }).count()).toBe(0)
  })
})

describe('the watermark of a file', { tags: 'chromium' }, () => {
  /** Long enough for its request to be found. */
  const LETTER =
    'Your appointment with the doctor has been moved to Thursday morning. Please bring the letter from the clinic, and come a quarter of an hour early.'

  async function speak(key: string, text: string, watermark: boolean) {
    const answer = await server.fetch('/v1/engine/synthesize', {
      key,
      body: { model: 'synth-v1', text, enable_watermark: watermark },
    })
    return {
      wav: Buffer.from(await answer.arrayBuffer()),
      requestId: answer.headers.get('x-request-id') ?? '',
    }
  }
  const open = async () => {
    const { key } = await server.createAccount({ tier: 'enterprise' })
    return { ...(await browser.openSignedIn('/playground?try=watermark', {}, key)), key }
  }
  const asFile = (name: string, buffer: Buffer) => ({ name, mimeType: 'audio/wav', buffer })

  test('is found in a dropped file, with the request that made it', async () => {
    const { page, key, complaints } = await open()
    const { wav, requestId } = await speak(key, LETTER, true)
    const transfer = await page.evaluateHandle<object>(`(() => {
      const transfer = new DataTransfer()
      const bytes = Uint8Array.fromBase64(${JSON.stringify(wav.toString('base64'))})
      transfer.items.add(new File([bytes], 'voicemail.wav', { type: 'audio/wav' }))
      return transfer
    })()`)
    await page.locator('.drop').dispatchEvent('drop', { dataTransfer: transfer })
    await page.getByText('Made by this server').waitFor()
    const result = page.getByRole('region', { name: 'Result' })
    expect(await result.locator('dl').textContent()).toContain(requestId)
    expect(await result.locator('dl').textContent()).toContain('voicemail.wav')
    await page.getByText('As code').click()
    expect(await lookAt(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('is not found in other files, of which it says so, and what is no audio is refused', async () => {
    const { page, key } = await open()
    const { wav } = await speak(key, 'Good morning.', false)
    const field = page.getByLabel('Recording', { exact: true })
    await field.setInputFiles(asFile('own.wav', wav))
    await page.getByText('No watermark found').waitFor()
    await field.setInputFiles(asFile('notes.wav', Buffer.from('No audio.')))
    await page.getByRole('alert').waitFor()
    expect(await page.getByText('No watermark found').count()).toBe(0)
  })
})
