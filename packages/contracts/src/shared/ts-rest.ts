/**
 * The only file of this package that imports ts-rest, and only its types: the shapes of a route, kept here so that
 * the library could be replaced (docs/decisions/0001-ts-rest-and-zod.md). At run time a contract is plain data.
 */
import type { AppRouter } from '@ts-rest/core'
import { z } from 'zod'

/** No body, as a Standard Schema (https://standardschema.dev). */
export interface NoBody {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => { readonly value: undefined }
    readonly types?: { readonly input: undefined; readonly output: undefined } | undefined
  }
}

/**
 * A response or request without a body; one that comes is dropped. It stands in for the symbol of the library: bundled with
 * our declarations, that would be another one than the library's own, which takes what it does not know for `any`.
 */
export const noBody: NoBody = {
  '~standard': { version: 1, vendor: 'vaani', validate: () => ({ value: undefined }) },
}

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
