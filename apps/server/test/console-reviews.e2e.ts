/** The review desk in a real browser, by keyboard alone. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { thorough } from '@vaani/test-services/thorough'
import { type ConsoleBrowser, lookAt, startConsoleBrowser } from '@vaani/browser/console'
import { createReviewCases, type ReviewCases } from './support/review-cases.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

const HOSTILE = `"><img src=x onerror="document.title='run'"><script>document.title='run'</script>`

let server: TestServer
let browser: ConsoleBrowser
let cases: ReviewCases
let key: string
beforeAll(async () => {
  server = await startTestServer()
  browser = await startConsoleBrowser(server)
  cases = await createReviewCases(server)
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
})
beforeEach(async () => {
  key = (await server.createAccount()).key
})

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

/** Opens a case and takes it, by its key. */
async function take(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Take it c' }).waitFor()
  await page.keyboard.press('c')
  await page.getByText('Yours for').waitFor()
}

describe('the review desk', { tags: ['chromium', 'ffmpeg'] }, () => {
  test('decides cases without a mouse, one after the other', async () => {
    const ids = [await cases.submit(key), await cases.submit(key)]
    if (thorough({ usual: false, long: true })) ids.push(await cases.submit(key))
    const { page, complaints } = await browser.openSignedIn('/reviews', {}, key)
    await page.getByRole('table').waitFor()
    await page.keyboard.press('n')
    for (const [index, id] of ids.entries()) {
      await page.waitForURL(`**/reviews/${id}`)
      await page.getByRole('button', { name: 'Approve a' }).waitFor()
      expect(await page.getByRole('img').count()).toBe(0)
      await page.keyboard.press('b')
      await page.getByRole('img', { name: 'Front' }).waitFor()
      for (const pressed of ['+', 'ArrowLeft', 'r', 'x', 'l', '0', '2']) await page.keyboard.press(pressed)
      await page.getByRole('img', { name: 'Back' }).waitFor()
      await page.keyboard.press(index === 1 ? 'a' : 'd')
      await page.getByRole('dialog').waitFor()
      if (index !== 1) await page.keyboard.press('1')
      await page.keyboard.press('Enter')
    }
    await heading(page, 'Reviews').waitFor()
    const decisions = await Promise.all(ids.map((id) => cases.decisionOf(id, key)))
    expect(decisions).toEqual(['declined', 'approved', 'declined'].slice(0, ids.length))
    const { body } = await server.json<{ reasons: { code: string }[] }>(`/identity/verifications/${ids[0]}`, {
      key,
    })
    expect(body.reasons.map(({ code }) => code)).toEqual(['document_unreadable'])
    expect(complaints).toEqual([])
  })

  test('records each look, and looks only when it is asked to', async () => {
    const id = await cases.submit(key)
    const { page } = await browser.openSignedIn(`/reviews/${id}`, {}, key)
    await page.getByRole('button', { name: 'Take it c' }).waitFor()
    const looks = async () => {
      const { body } = await server.json<{ data: { type: string }[] }>(
        `/identity/verifications/${id}/review/history`,
        { key },
      )
      return body.data.filter(({ type }) => type === 'look').length
    }
    expect(await looks()).toBe(0)
    await page.keyboard.press('b')
    await page.getByRole('img', { name: 'Front' }).waitFor()
    await page.getByRole('img', { name: 'Frames 0.0 s' }).waitFor()
    expect(await looks()).toBe(2)
    // What is hidden stays loaded, so that showing it again is no other look.
    await page.keyboard.press('b')
    await page.getByText('Hidden until you look. Each').first().waitFor()
    for (const pressed of ['2', 'v', '1', 'v']) await page.keyboard.press(pressed)
    await page.keyboard.press('b')
    await page.getByRole('img', { name: 'Front' }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await looks()).toBe(2)
    // Another page of the console forgets them.
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Image glare' }).click()
    await heading(page, 'Image glare').waitFor()
    await page.keyboard.press('b')
    await page.getByRole('img', { name: 'Front' }).waitFor()
    await page.getByRole('img', { name: 'Frames 0.0 s' }).waitFor()
    expect(await looks()).toBe(4)
  })

  test('shows the fields of a document, and where they stand', async () => {
    const id = await cases.submitPassport(key)
    const { page, complaints } = await browser.openSignedIn(`/reviews/${id}`, {}, key)
    await heading(page, 'Not checked: Face in the video, Liveness, Face match').waitFor()
    expect(await page.content()).not.toContain('ERIKSSON')
    await page.keyboard.press('b')
    const picture = page.getByRole('img', { name: 'Front' })
    await picture.waitFor()
    const whole = await picture.getAttribute('viewBox')
    const number = page.getByRole('button', { name: /^Number/ })
    await number.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => number.getAttribute('aria-pressed')).toBe('true')
    expect(await page.locator('polygon.chosen').count()).toBe(1)
    const near = await picture.getAttribute('viewBox')
    expect(near).not.toBe(whole)
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => picture.getAttribute('viewBox')).not.toBe(near)
    await page.keyboard.press('k')
    await expect.poll(() => number.getAttribute('aria-pressed')).toBe('false')
    await page.keyboard.press('0')
    await picture.hover()
    await page.keyboard.down('Control')
    await page.mouse.wheel(0, -300)
    await page.keyboard.up('Control')
    await page.getByRole('button', { name: '200 %' }).waitFor()
    await page.keyboard.press('b')
    await expect.poll(() => page.getByText('ERIKSSON').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('shows the twin of a document, and what the person sent before', async () => {
    const first = await cases.submit(key, 'test_review_glare:42')
    const id = await cases.submit(key, 'test_review_glare:42')
    const checks = [
      {
        check: 'reused_media',
        outcome: 'failed',
        code: 'document_reused',
        score: 0,
        evidence: { earlier_verification: first, [HOSTILE.slice(0, 40)]: HOSTILE },
        model: null,
      },
    ]
    await server.context.database
      .updateTable('verifications')
      .set({ checks: JSON.stringify(checks) })
      .where('verification_id', '=', id)
      .execute()
    const { page, complaints } = await browser.openSignedIn(`/reviews/${id}`, {}, key)
    const see = page.getByRole('button', { name: 'See it beside' })
    const twin = page.getByRole('region', { name: 'Sent before' })
    const pictures = page.getByRole('img', { name: /(Front|Back)$/ })
    await see.waitFor()
    await page.keyboard.press('b')
    await page.getByRole('region', { name: 'Person' }).getByRole('link').click()
    await page.waitForURL(`**/reviews/${first}`)
    await page.goBack()
    await take(page)
    await page.keyboard.press('d')
    await page.getByLabel('Note for reviewers').first().fill('The same picture as before')
    await page.keyboard.press('Escape')
    await page.keyboard.press('t')
    await twin.getByText('Hidden until you look.').waitFor()
    await page.keyboard.press('b')
    await twin.getByRole('img', { name: 'Front' }).waitFor()
    for (const pressed of ['2', '+', 'r']) await page.keyboard.press(pressed)
    await twin.getByRole('img', { name: 'Back' }).waitFor()
    const boxes = await pictures.evaluateAll((all) => all.map((one) => one.getAttribute('viewBox')))
    expect(boxes).toEqual([boxes[0], boxes[0]])
    expect(await lookAt(page)).toEqual([])
    expect(await lookAt(page, 1)).toEqual([])
    // The case itself stays, so that Escape closes the twin first and nothing that was begun is lost.
    await page.keyboard.press('Escape')
    await twin.waitFor({ state: 'detached' })
    await page.waitForURL(`**/reviews/${id}`)
    await page.keyboard.press('d')
    expect(await page.getByLabel('Note for reviewers').first().inputValue()).toBe(
      'The same picture as before',
    )
    await page.keyboard.press('Escape')
    await see.press('Enter')
    await twin.getByRole('button', { name: 'Close' }).press('Enter')
    await twin.waitFor({ state: 'detached' })
    await expect.poll(() => see.evaluate((button) => button.matches(':focus'))).toBe(true)
    await see.press('Enter')
    await twin.getByRole('link', { name: 'Sent before' }).press('Enter')
    await page.waitForURL(`**/reviews/${first}`)
    expect(complaints).toEqual([])
  })

  test('shows text of people as text', async () => {
    const id = await cases.submit(key, `test_review_glare:${HOSTILE}`)
    await server.json(`/identity/verifications/${id}/review/notes`, { key, body: { note: HOSTILE } })
    const { page, complaints } = await browser.openSignedIn(`/reviews/${id}`, {}, key)
    await heading(page, 'Image glare').waitFor()
    await page.keyboard.press('b')
    await expect.poll(() => page.getByText(HOSTILE).count()).toBe(2)
    expect(await page.title()).toBe('Image glare · Vaani')
    expect(complaints).toEqual([])
  })

  test('goes on at the title of the next case after a decision, and says so to screen readers', async () => {
    const ids = [await cases.submit(key), await cases.submit(key, 'test_review_liveness')]
    const { page } = await browser.openSignedIn('/reviews', {}, key)
    const focused = () => page.evaluate<string>('document.activeElement.textContent')
    await page.getByRole('table').waitFor()
    await page.keyboard.press('n')
    for (const [index, title] of ['Image glare', 'Not checked: Liveness'].entries()) {
      await page.waitForURL(`**/reviews/${ids[index]}`)
      await expect.poll(focused).toBe(title)
      await page.locator('[aria-live]', { hasText: `Next case: ${title}` }).waitFor({ state: 'attached' })
      await page.getByRole('button', { name: 'Approve a' }).waitFor()
      await page.keyboard.press('a')
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('Enter')
    }
    await heading(page, 'Reviews').waitFor()
    await page.locator('[aria-live]', { hasText: 'Nobody waits.' }).waitFor({ state: 'attached' })
  })

  test('is narrowed down by reason and policy, which its cases, the next and the back button keep', async () => {
    const glare = await cases.submit(key)
    const live = await cases.submit(key, 'test_review_liveness')
    const strict = await cases.submit(key, 'test_review_liveness')
    for (const table of ['verifications', 'review_reasons'] as const)
      await server.context.database
        .updateTable(table)
        .set({ policy: 'strict' })
        .where('verification_id', '=', strict)
        .execute()
    const { page, complaints } = await browser.openSignedIn('/reviews', {}, key)
    const rows = () => page.getByRole('table').getByRole('link').allTextContents()
    await expect.poll(rows).toEqual(['Image glare', 'Not checked: Liveness', 'Not checked: Liveness'])
    await page.getByLabel('Why').selectOption({ label: 'No engine (2)' })
    await page.waitForURL('**/reviews?reason=no_engine')
    await expect.poll(rows).toEqual(['Not checked: Liveness', 'Not checked: Liveness'])
    await page.getByLabel('Policy').selectOption({ label: 'strict (1)' })
    await expect.poll(rows).toEqual(['Not checked: Liveness'])
    await page.goBack()
    await page.waitForURL('**/reviews?reason=no_engine')
    await expect.poll(rows).toHaveLength(2)
    // A link that somebody was sent shows the same.
    await page.goto(browser.at('/reviews?reason=no_engine&policy=default'))
    await page.getByRole('table').waitFor()
    await page.keyboard.press('n')
    await page.waitForURL(`**/reviews/${live}?reason=no_engine&policy=default`)
    await page.getByRole('button', { name: 'Approve a' }).waitFor()
    await page.keyboard.press('a')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/reviews?reason=no_engine&policy=default')
    await page.getByText('Nothing matches.').waitFor()
    expect(await page.getByLabel('Why').inputValue()).toBe('no_engine')
    expect(await lookAt(page)).toEqual([])
    await page.getByLabel('Policy').selectOption('All')
    await page.getByRole('link', { name: 'Not checked: Liveness' }).click()
    await page.waitForURL(`**/reviews/${strict}?reason=no_engine`)
    await page.keyboard.press('Escape')
    await page.waitForURL('**/reviews?reason=no_engine')
    expect(await cases.decisionOf(glare, key)).toBe('review')
    expect(complaints).toEqual([])
  })

  test('asks for a picture again, and lists what waits for the person', async () => {
    const id = await cases.submit(key)
    const { page } = await browser.openSignedIn(`/reviews/${id}`, {}, key)
    await take(page)
    await page.keyboard.press('p')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('4')
    await page.keyboard.press('Enter')
    await page.getByText('The person was asked for a new picture').waitFor()
    await page.getByText('Asked for a picture · Front · Cut off').waitFor()
    await page.keyboard.press('Escape')
    await heading(page, 'Reviews').waitFor()
    await page.getByRole('button', { name: 'For the person' }).click()
    await page.getByRole('link', { name: /cut off|blurred|picture/i }).waitFor()
    expect(page.url()).toBe(browser.at('/reviews?waiting_for=person'))
    await page.reload()
    await page.getByRole('table').waitFor()
  })

  test('opens the same case after a reload, hidden again, and the queue by the back button', async () => {
    const id = await cases.submit(key)
    const { page } = await browser.openSignedIn('/reviews', {}, key)
    await page.getByRole('link', { name: 'Image glare' }).click()
    await take(page)
    await page.keyboard.press('b')
    await page.getByRole('img', { name: 'Front' }).waitFor()
    await page.reload()
    await page.getByText('Yours for').waitFor()
    expect(page.url()).toBe(browser.at(`/reviews/${id}`))
    expect(await page.getByRole('img').count()).toBe(0)
    await page.goBack()
    await heading(page, 'Reviews').waitFor()
    await page.getByRole('cell', { name: 'You' }).waitFor()
  })

  test('lists its keys, which can be turned off', async () => {
    await cases.submit(key)
    const { page } = await browser.openSignedIn('/reviews', {}, key)
    await page.getByRole('link', { name: 'Image glare' }).click()
    await page.getByRole('button', { name: 'Take it c' }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).getByText('Decline: reasons by number').waitFor()
    await page.getByLabel('Single keys act').uncheck()
    await page.keyboard.press('Escape')
    await page.keyboard.press('c')
    await page.getByRole('button', { name: 'Take it c' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Yours for').waitFor()
  })

  test('says in Nepali what checks found, why people declined and what was refused', async () => {
    const id = await cases.submit(key)
    const body = { decision: 'declined', reasons: ['face_mismatch'] }
    await server.json(`/identity/verifications/${id}/review`, { key, body })
    const { page } = await browser.openSignedIn('/reviews', {}, key)
    await page.evaluate("localStorage.setItem('vaani-language', 'ne')")
    await page.goto(browser.at(`/reviews/${id}`))
    await heading(page, 'अनुहार मिलेन').waitFor()
    await page.locator('.others summary').click()
    const checks = page.getByRole('region', { name: 'जाँचहरू' })
    await checks.getByText('तस्बिर टल्किएको').waitFor()
    expect(await checks.innerText()).not.toMatch(/[a-z]{3}/i)
    await page.goto(browser.at(`/verifications/${id}`))
    await page.getByText('अस्वीकृत · अनुहार मिलेन').waitFor()
    await page
      .getByRole('paragraph')
      .filter({ hasText: 'भिडियोको अनुहार कागजातको तस्बिरसँग मेल खाएन।' })
      .waitFor()
    await page.goto(browser.at('/reviews/idv_0'))
    await page.getByRole('alert').getByText('यस खातामा यो मोडमा').waitFor()
  })

  test('is accessible in every state, size and colour', async () => {
    const stranger = (await server.createAccount({}, ['speech:write'])).key
    const empty = (await server.createAccount()).key
    const id = await cases.submit(key)
    const found: string[] = []
    const check = async (page: Page) => {
      await page.waitForLoadState('networkidle')
      found.push(...(await lookAt(page)))
    }
    const { page: forbidden } = await browser.openSignedIn('/reviews', {}, stranger)
    await forbidden.getByText('You may not see this.').waitFor()
    await check(forbidden)
    await forbidden.goto(browser.at(`/reviews/${id}`))
    await forbidden.getByText('You may not see this.').waitFor()
    await check(forbidden)
    const { page: none } = await browser.openSignedIn('/reviews', {}, empty)
    await none.getByText('Nobody waits.').waitFor()
    await check(none)
    // What another account has is not there.
    await none.goto(browser.at(`/reviews/${id}`))
    await none.getByRole('alert').waitFor()
    await check(none)
    await none.route('**/identity/reviews?*', (route) => route.abort())
    await none.goto(browser.at('/reviews'))
    await none.getByRole('button', { name: 'Try again' }).waitFor()
    await check(none)
    const { page, complaints } = await browser.openSignedIn('/reviews', {}, key)
    await page.getByRole('table').waitFor()
    await check(page)
    await page.getByRole('link', { name: 'Image glare' }).click()
    await take(page)
    await check(page)
    await page.keyboard.press('b')
    await page.getByRole('img', { name: 'Front' }).waitFor()
    await page.getByRole('img', { name: 'Frames 0.0 s' }).waitFor()
    await check(page)
    await page.keyboard.press('v')
    await page.locator('video').waitFor()
    await check(page)
    for (const pressed of ['d', 'p', '?']) {
      await page.keyboard.press(pressed)
      await page.getByRole('dialog').waitFor()
      await check(page)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    expect(found).toEqual([])
    expect(complaints).toEqual([])
  })
})
