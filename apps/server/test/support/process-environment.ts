import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Engines whose threads start with the first speech. Each takes as long to load as the rest of a server, and most servers of tests say
 * nothing.
 */
export const SPEECH_ON_DEMAND = path.resolve(import.meta.dirname, 'speech-on-demand.json')

/**
 * Environment of every process that tests start. With the compile cache, a program is compiled once rather than at each of
 * some hundred starts.
 */
export const PROCESS_ENVIRONMENT = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../../../node_modules/.cache/compiled', import.meta.url)),
}
