export { bundleFile, bundleNames, gzipLength } from './bundle.ts'
export { CHROMIUM, HEADLESS, WITHOUT_WINDOW_PAGES } from './chromium.ts'
