/**
 * The only file of this package that imports ts-rest, and only its types: the shapes of a route, kept here so that
 * the library could be replaced (docs/decisions/0001-ts-rest-and-zod.md). At run time a contract is plain data.
 */
import type { AppRouter, ContractNoBodyType } from '@ts-rest/core'
import { z } from 'zod'

/** A response or request without a body. The library validates nothing where it finds no schema. */
export const noBody: ContractNoBodyType = Symbol('no body') as ContractNoBodyType

/** A multipart body: its parts are described by the route's `metadata.parts`, as no schema sees them whole. */
export const formData: z.ZodType<FormData, FormData> = z.custom<FormData>()

/**
 * Marks a tree of routes as a contract. It stands in for the library's `router`, which rewrites the type of every
 * route and turns those of inline sub-trees to `any`; what that adds at run time, `defineRoute` has added.
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
