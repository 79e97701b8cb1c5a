export { bundleFile, bundleNames, gzipLength } from './bundle.ts'
export { CHROMIUM, HEADLESS } from './chromium.ts'
