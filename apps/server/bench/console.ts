/**
 * `pnpm bench console`: measures the console against its bounds: what is loaded, how soon each page is usable on a processor that is 4 ×
 * slower, how evenly waveforms are drawn while they play, lists of a million rows, and 20 reviews without a mouse. Needs Chromium and
 * ffmpeg. `pnpm bench console 5` opens each page 5 times; `ROWS=10000` fills fewer rows.
 */
import { printCases, submitCases } from './console/cases.ts'
import { startBrowser } from './console/browser.ts'
import { printFrames } from './console/frames.ts'
import { printLists } from './console/lists.ts'
import { makePages } from './console/pages.ts'
import { placeCall } from './console/place-call.ts'
import { printSizes } from './console/sizes.ts'
import { startFilled } from './console/start-filled.ts'
import { printUsable } from './console/usable.ts'

const ROUNDS = Number(process.argv[2] ?? 2)
const ROWS = Number(process.env['ROWS'] ?? 1_000_000)
const CASES = 20

await using filled = await startFilled(ROWS)
const { server, large, small } = filled
const [call, review] = await Promise.all([placeCall(large.client), submitCases(small.client, CASES)])
await using browser = await startBrowser(server.url)
const pages = await makePages(filled, { call, review })
await printSizes()
await printUsable(browser, pages, ROUNDS)
await printFrames(browser, large.key, call)
await printLists(browser, large.key, ROWS)
await printCases(browser, small.key, CASES, 1)
