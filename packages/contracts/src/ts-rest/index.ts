/** `@vaani/contracts/ts-rest`: the library for those who build on the contract (docs/decisions/0001-ts-rest-and-zod.md). */
export * from '@ts-rest/core'
