/**
 * Apart from the re-exports in `src/ts-rest`, the only file of this package that imports ts-rest, and it imports types
 * only. Keeping the shapes of a route here leaves the library replaceable (docs/decisions/0001-ts-rest-and-zod.md). At
 * run time a contract is plain data.
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
 * A request or response without a body; a body that arrives anyway is dropped. Replaces the library's symbol: bundled with
 * our declarations, that would differ from the library's own, and the library types anything it does not know as `any`.
 */
export const noBody: NoBody = {
  '~standard': { version: 1, vendor: 'vaani', validate: () => ({ value: undefined }) },
}

/** A multipart body. The route's `metadata.parts` describes its parts, because no schema sees the body as a whole. */
export const formData: z.ZodType<FormData, FormData> = z.custom<FormData>()

/**
 * Marks a tree of routes as a contract. Replaces the library's `router`, which rewrites the type of every route and turns
 * inline sub-trees into `any`. What `router` adds at run time, `defineRoute` has already added.
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
