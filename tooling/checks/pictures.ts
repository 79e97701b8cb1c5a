/**
 * Takes the pictures of the console in docs/console, of a server with some traffic: `pnpm pictures`. Look at each before you
 * commit it.
 */
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { CHROMIUM } from '@vaani/browser'
import { startReceiver, startVaani, type RunningVaani } from '@vaani/testing'
import { chromium, type Page } from 'playwright-core'

const root = path.resolve(import.meta.dirname, '../..')
const folder = path.join(root, 'docs/console')
const specimen = (name: string): string => path.join(root, 'packages/identity-checks/specimens', name)

const LOOKS = [
  { suffix: '', viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  { suffix: '-phone', viewport: { width: 360, height: 740 }, colorScheme: 'dark' },
] as const

/** Calls, a webhook that was given up, and a verification that waits for a person. Returns the paths to show. */
async function fill(
  { client }: RunningVaani,
  receiverUrl: string,
): Promise<Readonly<Record<string, string>>> {
  await client.webhooks.createEndpoint({ url: receiverUrl, events: ['call.completed'] })
  const calls = await Promise.all(
    ['+9779812345678', '+9779823456789', '+9779834567890'].map((to) =>
      client.calls.place({ to, agent_id: 'reminder', language: 'en-US', metadata: { name: 'Sita' } }),
    ),
  )
  const ended = await Promise.all(calls.map(({ call_id }) => client.calls.waitUntilFinished(call_id)))
  const submitted = await client.identity.submit({
    front_image: specimen('passport-blurred.jpg'),
    liveness_video: specimen('liveness.mp4'),
    external_id: 'customer-27',
  })
  while ((await client.reviews.counts()).reviews === 0) await setTimeout(500)
  return {
    home: '',
    call: `/calls/${ended[0]?.call_id}`,
    webhooks: '/webhooks',
    review: `/reviews/${submitted.verification_id}`,
    playground: '/playground',
  }
}

async function show(page: Page, address: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(address)})`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.locator('.loading').first().waitFor({ state: 'detached' })
  const speak = page.getByRole('button', { name: 'Speak' })
  if (await speak.isVisible()) {
    await speak.click()
    await page.getByRole('button', { name: 'Download as WAV' }).waitFor()
  }
  const look = page.getByRole('button', { name: /^Look/ })
  if (await look.isVisible()) {
    await look.click()
    await page.getByRole('img', { name: 'Front' }).waitFor()
    await page.getByRole('img', { name: 'Frames 0.0 s' }).waitFor()
  }
}

if (CHROMIUM === undefined) throw new Error('Install chromium')
await mkdir(folder, { recursive: true })
await using receiver = await startReceiver()
receiver.answer(() => 500)
await using vaani = await startVaani({ environment: { VAANI_WEBHOOK_SCHEDULE_SECONDS: '0' } })
const pages = await fill(vaani, receiver.url)
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
for (const { suffix, viewport, colorScheme } of LOOKS) {
  const context = await browser.newContext({ viewport, colorScheme, locale: 'en-US', timezoneId: 'UTC' })
  const page = await context.newPage()
  await page.goto(`${vaani.url}/console`)
  await page.getByLabel('API key').fill(vaani.key)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  for (const [name, at] of Object.entries(pages)) {
    await show(page, `/console${at}`)
    await page.screenshot({ path: path.join(folder, `${name}${suffix}.png`) })
  }
  await context.close()
}
await browser.close()
