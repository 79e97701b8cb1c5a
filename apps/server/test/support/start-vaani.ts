import { type RunningVaani, startServerProcess, type StartVaaniOptions } from '@vaani/test-harness'
import { programFile } from '@vaani/test-services'

/** Starts the server of this workspace, as `startVaani` of `@vaani/testing` starts the installed one. */
export const startVaani = (options?: StartVaaniOptions): Promise<RunningVaani> =>
  startServerProcess(programFile('testing-server'), options)
