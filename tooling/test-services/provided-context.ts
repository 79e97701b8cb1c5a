import 'vitest'

declare module 'vitest' {
  /** Values that the global set-up provides to test files through `inject`. */
  interface ProvidedContext {
    /** A database of a server on which databases may be created. */
    postgresUrl: string
    /** Undefined without Redis: tests that need it are then skipped with the reason, except in CI. */
    redisUrl: string | undefined
    /** Folder of the bundled programs, see `programFile`. */
    programsFolder: string
    /** Unique to each run, so that leftovers of an earlier run on the same server are not mistaken for this run's data. */
    testRunId: string
  }
}
