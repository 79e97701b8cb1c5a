import 'vitest'

declare module 'vitest' {
  /** What the global set-up hands to test files, read with `inject`. */
  interface ProvidedContext {
    /** A database of a server on which databases may be created. */
    postgresUrl: string
    /** Whether that server is a container: then others can be started too. */
    isPostgresContainer: boolean
    /** Undefined where there is no Redis: tests that need one skip with the reason, except in CI. */
    redisUrl: string | undefined
    /** Differs from run to run, so that nothing of an earlier run on the same server is taken for this one's. */
    testRunId: string
  }
}
