export { canRunAs } from './can-run-as.ts'
export { createTestDatabase, type TestDatabase, type TestDatabaseOptions } from './test-database.ts'
