export { canRunAs } from './can-run-as.ts'
export { type LossyProxy, startLossyProxy } from './lossy-proxy.ts'
export { type Program, programFile } from './programs.ts'
export { createTestDatabase, type TestDatabase, type TestDatabaseOptions } from './test-database.ts'
