/**
 * The only file of this package that imports ts-rest: the shapes of a route, kept here so that the library
 * could be replaced (docs/decisions/0001-ts-rest-and-zod.md).
 */
import {
  type AppRouter,
  ContractNoBody,
  type ContractNoBodyType,
  type ContractPlainType,
  initContract,
} from '@ts-rest/core'

/** A response or request without a body. */
export const noBody: ContractNoBodyType = ContractNoBody

/** A multipart body: its parts are described by the route's `metadata.parts`, as no schema sees them whole. */
export const formData: ContractPlainType<FormData> = initContract().type<FormData>()

/**
 * Marks a tree of routes as a contract. It stands in for the library's `router`, which rewrites every route's type
 * and turns those of inline sub-trees to `any`; what that adds at run time, `defineRoute` has added.
 */
export const defineContract = <const Router extends AppRouter>(routes: Router): Router => routes

export type {
  AppRoute,
  AppRouter,
  ClientInferRequest,
  ClientInferResponses,
  ServerInferRequest,
  ServerInferResponses,
} from '@ts-rest/core'
