/** What the migration offers to the console. */
export interface MigrationPort {
  /** Whether this server knows the worker of a migration. */
  hasWorker: boolean
}
