import { existsSync } from 'node:fs'

/** Path of the Chromium executable; undefined if it is not installed. */
export const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  existsSync,
)

const DISABLED_FEATURES = [
  // Loads 400 modules for the address bar of each window, even without a screen, and each context of a test has a window.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  // Starts a renderer beside each page, for a site that might come next. Tests open none.
  'SpareRendererForSitePerProcess',
  // The last flag of this name replaces that of Playwright, which these are from.
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]

/** Leaves out what a browser has for people at its window: most of the processor time of a window that opens a small page. */
export const WITHOUT_WINDOW_PAGES = `--disable-features=${DISABLED_FEATURES.join(',')}`

/** Options for a headless browser that makes no network requests of its own. */
export const HEADLESS: readonly string[] = [
  '--headless',
  '--no-sandbox',
  WITHOUT_WINDOW_PAGES,
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
