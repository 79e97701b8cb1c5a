import path from 'node:path'

import { inject } from 'vitest'

import './provided-context.ts'

/** Programs that tests start, by their sources in this repository. */
export const PROGRAMS = {
  server: 'apps/server/src/main.ts',
  'testing-server': 'apps/server/src/testing/main.ts',
  'shadow-worker': 'apps/kyc-shadow-worker/src/main.ts',
  cli: 'packages/cli/src/main.ts',
} as const
export type Program = keyof typeof PROGRAMS

/** Returns the file of a program, to run with `--conditions=vaani-source`: a bundle, which starts with a third of the work. */
export const programFile = (program: Program): string => path.join(inject('programsFolder'), `${program}.mjs`)
