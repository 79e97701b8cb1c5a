import { createRequire } from 'node:module'

/** Returns the path of the installed server's entry for tests. */
export const findServerEntry = (): string => createRequire(import.meta.url).resolve('@vaani/server/testing')
