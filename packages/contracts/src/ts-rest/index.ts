/** `@vaani/contracts/ts-rest`: ts-rest, for building on the contract (docs/decisions/0001-ts-rest-and-zod.md). */
export * from '@ts-rest/core'
