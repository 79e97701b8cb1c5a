import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** The OpenAPI document as it is published. */
export const DOCUMENT_FILE = require.resolve('@vaani/contracts/openapi.json')

/** The folder of a package that this workspace depends on. */
export const fileOfPackage = (name: string, file: string): string =>
  require.resolve(`${name}/package.json`).replace(/package\.json$/, file)
