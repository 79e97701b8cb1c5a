import { CHROMIUM, WITHOUT_WINDOW_PAGES } from '@vaani/browser'
import { signIn } from '@vaani/browser/sign-in'
import { type BrowserContext, chromium, type Page } from 'playwright-core'

const VIEWPORT = { width: 1280, height: 800 }

/** How many times slower the processor of a page is made. */
export const SLOWDOWNS = [1, 4] as const
export type Slowdown = (typeof SLOWDOWNS)[number]

/** A tab that is signed in and has nothing in its cache. */
export interface Tab extends AsyncDisposable {
  page: Page
}

export interface BenchBrowser extends AsyncDisposable {
  /** The address of a page, such as `/calls`. */
  at(path: string): string
  openTab(key: string, slowdown?: Slowdown): Promise<Tab>
  /** The headers with which pages of this session ask the server. */
  headersOf(key: string): Promise<Record<string, string>>
}

export async function startBrowser(url: string): Promise<BenchBrowser> {
  if (CHROMIUM === undefined) throw new Error('Install chromium')
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', WITHOUT_WINDOW_PAGES, '--autoplay-policy=no-user-gesture-required'],
  })
  const at = (path: string): string => `${url}/console${path}`
  const signedIn = new Map<string, Awaited<ReturnType<BrowserContext['storageState']>>>()

  async function sessionOf(key: string) {
    const known = signedIn.get(key)
    if (known !== undefined) return known
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(at(''))
    await signIn(page, key)
    const session = await context.storageState()
    await context.close()
    signedIn.set(key, session)
    return session
  }

  return {
    at,
    async openTab(key, slowdown = 1) {
      const context = await browser.newContext({
        viewport: VIEWPORT,
        locale: 'en-US',
        storageState: await sessionOf(key),
      })
      const page = await context.newPage()
      const protocol = await context.newCDPSession(page)
      await protocol.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
      return { page, [Symbol.asyncDispose]: () => context.close() }
    },
    async headersOf(key) {
      const { cookies } = await sessionOf(key)
      return {
        cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
        // A page sends it from its own origin, and names its key once it knows it.
        'x-vaani-console': '1',
        'sec-fetch-site': 'same-origin',
      }
    },
    [Symbol.asyncDispose]: () => browser.close(),
  }
}
