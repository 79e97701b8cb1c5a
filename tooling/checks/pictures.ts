/**
 * Takes the pictures of the console in docs/console, of a server with some traffic: `pnpm pictures`. Look at each before you
 * commit it. `pnpm pictures FOLDER` takes them in every size and colour, to be looked at alone.
 */
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { CHROMIUM, WITHOUT_WINDOW_PAGES } from '@vaani/browser'
import { signIn } from '@vaani/browser/sign-in'
import { startReceiver, startVaani } from '@vaani/testing'
import { chromium, type Page } from 'playwright-core'
import { fill, startMigration } from './fill-for-pictures.ts'

const [elsewhere] = process.argv.slice(2)
const folder = elsewhere ?? path.resolve(import.meta.dirname, '../../docs/console')

const SCREEN = { width: 1280, height: 800 }
const PHONE = { width: 360, height: 740 }
const LOOKS = [
  { suffix: '', viewport: SCREEN, colorScheme: 'light' },
  { suffix: '-phone', viewport: PHONE, colorScheme: 'dark' },
] as const
const ALL_LOOKS = [
  ...LOOKS,
  { suffix: '-dark', viewport: SCREEN, colorScheme: 'dark' },
  { suffix: '-phone-light', viewport: PHONE, colorScheme: 'light' },
] as const

async function show(page: Page, address: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(address)})`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.locator('.loading').first().waitFor({ state: 'detached' })
  if (await page.locator('.problem').first().isVisible()) throw new Error(`${address} shows an error`)
  const speak = page.getByRole('button', { name: 'Speak' })
  if (await speak.isVisible()) {
    await speak.click()
    await page.getByRole('button', { name: 'Download as WAV' }).waitFor()
  }
  const begin = page.getByRole('button', { name: 'Begin' })
  if (await begin.isVisible()) await speakLive(page)
  const look = page.getByRole('button', { name: /^Look/ })
  if (await look.isVisible()) {
    await look.click()
    await page.getByRole('img', { name: 'Front' }).waitFor()
    await page.getByRole('img', { name: 'Frames 0.0 s' }).waitFor()
  }
}

async function speakLive(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Begin' }).click()
  const field = page.locator('#say')
  await page.locator('#say:enabled').waitFor()
  await field.pressSequentially('I was sad, but then ')
  await page.getByLabel('Emotion').selectOption('excited')
  await field.pressSequentially('I heard the good news!')
  await field.press('Enter')
  await page.getByText('First sound after').waitFor()
}

if (CHROMIUM === undefined) throw new Error('Install chromium')
await mkdir(folder, { recursive: true })
await using migration = await startMigration()
await using receiver = await startReceiver()
receiver.answer(() => 500)
await using vaani = await startVaani({
  environment: { VAANI_WEBHOOK_SCHEDULE_SECONDS: '0', ...migration.environment },
})
const pages = await fill(vaani, receiver.url)
const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: ['--no-sandbox', WITHOUT_WINDOW_PAGES],
})
for (const { suffix, viewport, colorScheme } of elsewhere === undefined ? LOOKS : ALL_LOOKS) {
  const context = await browser.newContext({ viewport, colorScheme, locale: 'en-US', timezoneId: 'UTC' })
  const page = await context.newPage()
  await page.goto(`${vaani.url}/console`)
  await signIn(page, vaani.key)
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  for (const [name, at] of Object.entries(pages)) {
    await show(page, `/console${at}`)
    await page.screenshot({ path: path.join(folder, `${name}${suffix}.png`) })
  }
  await context.close()
}
await browser.close()
