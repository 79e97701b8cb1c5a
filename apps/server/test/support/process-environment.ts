import { fileURLToPath } from 'node:url'

/**
 * Environment of every process that tests start. With the compile cache, a program is compiled once rather than at each of
 * some hundred starts.
 */
export const PROCESS_ENVIRONMENT = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../../../node_modules/.cache/compiled', import.meta.url)),
}
