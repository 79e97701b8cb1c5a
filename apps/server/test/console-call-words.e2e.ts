/** The words of a call on its page, in step with the recording. */
import type { Call, CallTranscript } from '@vaani/contracts'
import { SIMULATOR_NUMBERS } from '@vaani/telephony-sip/simulator'
import { until } from '@vaani/test-services/until'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConsoleBrowser, lookAt, startConsoleBrowser } from '@vaani/browser/console'
import { startTestServer, type TestServer } from './support/test-server.ts'

let server: TestServer
let browser: ConsoleBrowser
beforeAll(async () => {
  server = await startTestServer()
  browser = await startConsoleBrowser(server, { flags: ['--autoplay-policy=no-user-gesture-required'] })
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
})

/** Makes a call, and opens its page once it has ended. */
async function open(
  call: { to: string; language: string; metadata?: Record<string, string> },
  shownIn = 'en',
) {
  const body = { agent_id: 'support', ...call }
  const { call_id } = (await server.json<Call>('/agent/calls', { body })).body
  await until(
    async () => (await server.json<Call>(`/agent/calls/${call_id}`)).body,
    ({ ended_at }) => ended_at !== undefined,
  )
  const { body: transcript } = await server.json<CallTranscript>(`/agent/calls/${call_id}/transcript`)
  const [turn] = transcript.turns
  if (turn === undefined) throw new Error('Nobody spoke')
  const tab = await browser.openSignedIn(`/calls/${call_id}`)
  await tab.page.evaluate(`localStorage.setItem('vaani-language', '${shownIn}')`)
  await tab.page.reload()
  const audio = tab.page.locator('audio')
  const words = tab.page.getByRole('option')
  await words.first().waitFor()
  await expect.poll(() => audio.evaluate((element) => Reflect.get(element, 'readyState'))).toBeGreaterThan(0)
  return {
    ...tab,
    turn,
    audio,
    words,
    /** Moves the player to a place of the recording. */
    moveTo: (atMs: number) =>
      audio.evaluate((element, seconds) => void Reflect.set(element, 'currentTime', seconds), atMs / 1000),
    placeMs: async () =>
      Math.round(1000 * (await audio.evaluate((element) => Reflect.get(element, 'currentTime')))),
    marked: () => words.and(tab.page.locator('[aria-selected=true]')).allTextContents(),
  }
}

describe('the words of a call', { tags: 'chromium' }, () => {
  test.each([
    { language: 'en-US', name: 'Sita', shownIn: 'en', speaker: 'The agent' },
    { language: 'ne-NP', name: 'सीता', shownIn: 'ne', speaker: 'एजेन्ट' },
  ])('are marked as they are heard: $language', async ({ language, name, shownIn, speaker }) => {
    const call = { to: '+9779812345678', language, metadata: { name } }
    const { page, turn, words, moveTo, marked, complaints } = await open(call, shownIn)
    await page.getByRole('heading', { level: 3, name: speaker }).waitFor()
    expect(turn.text).toContain(name)
    expect(await words.allTextContents()).toEqual(turn.words.map(({ text }) => text.trimEnd()))
    for (const [index, { start_ms, text }] of turn.words.entries()) {
      await moveTo(start_ms)
      await expect.poll(marked).toEqual([text.trimEnd()])
      await moveTo(start_ms - 1)
      await expect.poll(marked).toEqual(
        turn.words
          .slice(0, index)
          .slice(-1)
          .map((word) => word.text.trimEnd()),
      )
    }
    const heard = await page.evaluate<string[]>(playThrough(turn.words.at(-3)?.start_ms ?? 0))
    // A busy machine may draw no frame within a short word.
    const played = turn.words.slice(-3).map(({ text }) => text.trimEnd())
    expect(heard).toEqual(played.filter((word) => heard.includes(word)))
    expect(heard).not.toEqual([])
    const isDevanagari = await page.evaluate(
      "performance.getEntriesByType('resource').some(({ name }) => name.includes('noto-sans-devanagari'))",
    )
    expect(isDevanagari).toBe(shownIn === 'ne')
    expect(await lookAt(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('move the player, by a click and by keyboard as one stop', async () => {
    const call = { to: '+9779812345678', language: 'en-US' }
    const { page, turn, words, audio, placeMs, marked } = await open(call)
    await words.nth(4).click()
    expect(await placeMs()).toBe(turn.words[4]?.start_ms)
    await expect.poll(marked).toEqual([turn.words[4]?.text.trimEnd()])
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    expect(await placeMs()).toBe(turn.words[6]?.start_ms)
    await page.keyboard.press('End')
    await page.keyboard.press(' ')
    expect(await placeMs()).toBe(turn.words.at(-1)?.start_ms)
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    expect(await placeMs()).toBe(turn.words[0]?.start_ms)
    expect(await audio.evaluate((element) => Reflect.get(element, 'paused'))).toBe(true)
    expect(await page.locator('.spoken [tabindex="0"]').count()).toBe(1)
  })

  test('are read as a text, and no mark is announced', async () => {
    const { page, turn } = await open({ to: '+9779812345678', language: 'ne-NP' })
    const text = page.locator('p', { hasText: turn.text })
    expect(await text.getAttribute('lang')).toBe('ne-NP')
    expect(await page.locator('[aria-live] .spoken, [role=status] .spoken').count()).toBe(0)
    expect(await page.getByRole('listbox').getAttribute('aria-activedescendant')).toBe(null)
  })

  test('end where the person hung up', async () => {
    const call = { to: SIMULATOR_NUMBERS.hangsUp.number, language: 'en-US', metadata: { name: 'Sita' } }
    const { page, turn, words } = await open(call)
    // How much is heard in three seconds depends on how fast the voice is made, as time is ten times as fast.
    const greeting =
      'Hello Sita. We have received your request, and our team will be in touch soon. Thank you.'
    expect(turn.text).toMatch(/^Hello Sita\./)
    expect(greeting.startsWith(turn.text)).toBe(true)
    expect(turn.text.length).toBeLessThan(greeting.length)
    expect(await words.last().textContent()).toBe(turn.words.at(-1)?.text)
    await page.getByText('Cut short by the person on the phone.').waitFor()
    expect(await lookAt(page, 1)).toEqual([])
  })
})

/** Plays from a place to the end, and returns the words that are marked meanwhile. */
const playThrough = (fromMs: number): string => `(async () => {
  const audio = document.querySelector('audio')
  const is = (event) => new Promise((resolve) => audio.addEventListener(event, resolve, { once: true }))
  const heard = []
  const observer = new MutationObserver((changes) => {
    for (const { target } of changes) if (target.ariaSelected === 'true') heard.push(target.textContent)
  })
  const moved = is('seeked')
  audio.currentTime = ${fromMs / 1000} - 0.01
  await moved
  observer.observe(document, { subtree: true, attributeFilter: ['aria-selected'] })
  const ended = is('ended')
  await audio.play()
  await ended
  return heard
})()`
