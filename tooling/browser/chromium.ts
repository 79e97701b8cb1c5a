import { existsSync } from 'node:fs'

/** The program, where it is installed. */
export const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  existsSync,
)

/** For a page that is shown to nobody, by a browser that asks nothing of the network of its own. */
export const HEADLESS: readonly string[] = [
  '--headless',
  '--no-sandbox',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
