import { createRequire } from 'node:module'

/** The program of the installed server that tests start. */
export const findServerEntry = (): string => createRequire(import.meta.url).resolve('@vaani/server/testing')
