export { createOpenApiDocument, type DocumentOptions, listRoutes } from './create-document.ts'
export { fullDocument } from './full-document.ts'
export type { Json, JsonObject } from './schemas.ts'
