import { migrationContract } from '@vaani/contracts/migration'

const { submit: _, ...routes } = migrationContract.migration

/** The routes of this feature: all but the submission, which belongs to the pairs. */
export const migrationRoutes = routes
export type MigrationRoutes = typeof routes
