import { createMonthFunctions } from '@vaani/service-kit/database/monthly-partitions'
import type { Kysely } from 'kysely'

/** Lets servers change the partitions of months as a role that does not own the tables. */
export const up = (database: Kysely<unknown>): Promise<void> => createMonthFunctions(database)
