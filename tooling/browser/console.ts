import { CHROMIUM, WITHOUT_WINDOW_PAGES } from './chromium.ts'
import { signIn } from './sign-in.ts'
import { until } from '@vaani/test-services/until'
import axe, { type AxeResults } from 'axe-core'
import {
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Page,
} from 'playwright-core'
import { thorough } from '@vaani/test-services/thorough'
import { onTestFinished } from 'vitest'

/** Ends only what hangs, as `until` does. */
const WAIT_MS = 300_000

/** A tab of the console. */
export interface ConsoleTab {
  context: BrowserContext
  page: Page
  /** What the browser complained about, and what was asked of other hosts. */
  complaints: string[]
}

/** A browser that opens the console of a server. */
export interface ConsoleBrowser extends AsyncDisposable {
  /** Returns the address of a page, such as `/calls`. */
  at(path: string): string
  /** Opens a tab for the rest of the test. */
  openTab(options?: BrowserContextOptions): Promise<ConsoleTab>
  /** Opens a page by signing in there. */
  openSignedIn(path: string, options?: BrowserContextOptions, key?: string): Promise<ConsoleTab>
  /** Signs in on a page that asks for a key. */
  signIn(page: Page, key: string): Promise<void>
}

/**
 * Starts Chromium, if it is installed; tests without it have to be tagged `chromium`.
 *
 * @param url the server's, by another name
 * @param flags more flags for Chromium
 */
export async function startConsoleBrowser(
  server: { readonly url: string; readonly key: string },
  { url = server.url, flags = [] }: { url?: string; flags?: readonly string[] } = {},
): Promise<ConsoleBrowser> {
  const browser =
    CHROMIUM === undefined
      ? undefined
      : await chromium.launch({
          executablePath: CHROMIUM,
          args: ['--no-sandbox', WITHOUT_WINDOW_PAGES, ...flags],
        })
  const at = (path: string): string => `${url}/console${path}`
  // A server builds the pages when they are first asked for, which takes long while others do the same.
  if (browser !== undefined)
    await until(
      async () => (await fetch(at(''))).text(),
      (page) => page.includes('id="root"'),
    )

  async function openTab(options: BrowserContextOptions = {}): Promise<ConsoleTab> {
    if (browser === undefined) throw new Error('Chromium is not installed')
    const context = await browser.newContext({ locale: 'en-US', ...options })
    context.setDefaultTimeout(WAIT_MS)
    onTestFinished(() => context.close())
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('pageerror', ({ message }) => complaints.push(message))
    page.on('console', (line) => void (line.type() === 'error' && complaints.push(line.text())))
    page.on('request', (request) => {
      const asked = request.url()
      if (!asked.startsWith(url) && !/^(blob|data):/.test(asked)) complaints.push(`asked ${asked}`)
    })
    return { context, page, complaints }
  }

  return {
    at,
    openTab,
    signIn,
    async openSignedIn(path, options, key = server.key) {
      const tab = await openTab(options)
      await tab.page.goto(at(path))
      await signIn(tab.page, key)
      return tab
    },
    [Symbol.asyncDispose]: async () => browser?.close(),
  }
}

/** An authenticator that says yes to everything. */
const DEVICE = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const

/** A device that keeps the passkeys of a person. */
export interface PasskeyDevice {
  device: CDPSession
  authenticatorId: string
}

/** Gives a tab a device for passkeys, which need a server that has a name. */
export async function addPasskeyDevice({ context, page }: ConsoleTab): Promise<PasskeyDevice> {
  const device = await context.newCDPSession(page)
  await device.send('WebAuthn.enable')
  const { authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', { options: DEVICE })
  return { device, authenticatorId }
}

/** Signs a person in by an invitation, with a new passkey of the device of their tab. */
export async function join(page: Page, url: string, invitation: string): Promise<void> {
  await page.goto(`${url}#invitation=${invitation}`)
  await page.getByRole('button', { name: 'Make a passkey and sign in' }).press('Enter')
  await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor()
}

/** Returns what axe finds on a page, its best practices included. */
export async function findBarriers(page: Page): Promise<string[]> {
  if (await page.evaluate("!('axe' in window)")) await page.evaluate(axe.source)
  const results: AxeResults = await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
  return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

/** Whether a page has to be scrolled sideways. */
export const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')

const PHONE = { width: 360, height: 800 }
const SCREEN = { width: 1280, height: 800 }
/** The sizes and colours in which every page is looked at: usually in one of the first two. */
const LOOKS = [
  { viewport: PHONE, colorScheme: 'dark' as const },
  { viewport: SCREEN, colorScheme: 'light' as const },
  { viewport: PHONE, colorScheme: 'light' as const },
  { viewport: SCREEN, colorScheme: 'dark' as const },
]

/** Looks at what is open in each size and colour, or in one by the number of the page, and returns what is wrong with it. */
export async function lookAt(page: Page, number = 0): Promise<string[]> {
  const looks = thorough({ usual: LOOKS.slice(number % 2).slice(0, 1), long: LOOKS })
  const found: string[] = []
  for (const { viewport, colorScheme } of looks) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const faults = await findBarriers(page)
    if (await isTooWide(page)) faults.push('has to be scrolled sideways')
    found.push(...faults.map((fault) => `${page.url()}, ${viewport.width} ${colorScheme}: ${fault}`))
  }
  // A phone hides what tests may look for next.
  await page.setViewportSize(SCREEN)
  return found
}

/** A state in which pages are looked at. */
interface State {
  /** Key of an account in this state. */
  key: string
  paths: readonly string[]
  /** Whether every request of the pages fails. */
  isBroken?: boolean
}

/**
 * Opens pages in each state, looks at them, and returns what is wrong with them. Usually looks at one page of each state beside those
 * of `full`, because the others consist of the same parts.
 */
export async function findFaults(browser: ConsoleBrowser, states: Record<string, State>): Promise<string[]> {
  const found: string[] = []
  for (const [of, [state, { key, paths, isBroken = false }]] of Object.entries(states).entries()) {
    const { page, context, complaints } = await browser.openSignedIn('', {}, key)
    if (isBroken) await context.route('**/console/api/**', (route) => route.abort())
    for (const [index, path] of paths.entries()) {
      // Within the document, because to load it for each page takes longer than to look at it.
      await page.evaluate(`history.pushState(null, '', ${JSON.stringify(browser.at(path))})`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.locator('.loading').first().waitFor({ state: 'detached' })
      if (thorough({ usual: state === 'full' || index === 0, long: true }))
        found.push(...(await lookAt(page, of + index)).map((fault) => `${state}: ${fault}`))
    }
    // The browser says so itself if a request is refused or fails.
    found.push(...complaints.filter((complaint) => !complaint.startsWith('Failed to load resource')))
  }
  return found
}
