/**
 * The only file of this package that imports ts-rest: the shapes of a route, kept here so that the library
 * could be replaced (docs/decisions/0001-ts-rest-and-zod.md).
 */
import { type ContractNoBodyType, initContract } from '@ts-rest/core'

const library = initContract()

/** A response or request without a body. */
export const noBody: ContractNoBodyType = library.noBody()

/** A multipart body: its parts are described by the route's `metadata.parts`, as no schema sees them whole. */
export const formData = library.type<FormData>()

/** Marks a tree of routes as a contract. Hold every sub-tree in its own `const`: inline ones widen to `any`. */
export const defineContract = library.router

export type {
  AppRoute,
  AppRouter,
  ClientInferRequest,
  ClientInferResponses,
  ServerInferRequest,
  ServerInferResponses,
} from '@ts-rest/core'
