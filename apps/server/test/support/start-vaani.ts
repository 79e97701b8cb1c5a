import { fileURLToPath } from 'node:url'
import { type RunningVaani, startServerProcess, type StartVaaniOptions } from '@vaani/test-harness'

const entry = fileURLToPath(new URL('../../src/testing/main.ts', import.meta.url))

/** Starts the server of this workspace, as `startVaani` of `@vaani/testing` starts the installed one. */
export const startVaani = (options?: StartVaaniOptions): Promise<RunningVaani> =>
  startServerProcess(entry, options)
