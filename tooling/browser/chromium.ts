import { existsSync } from 'node:fs'

/** Path of the Chromium executable; undefined if it is not installed. */
export const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  existsSync,
)

/** Options for a headless browser that makes no network requests of its own. */
export const HEADLESS: readonly string[] = [
  '--headless',
  '--no-sandbox',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
