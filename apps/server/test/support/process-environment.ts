import { fileURLToPath } from 'node:url'

/** What every process that a test starts is given: a program is compiled once, not at each of some hundred starts. */
export const PROCESS_ENVIRONMENT = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../../../node_modules/.cache/compiled', import.meta.url)),
}
