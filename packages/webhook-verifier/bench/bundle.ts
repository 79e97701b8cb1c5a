import path from 'node:path'
import { bundleNames } from '@vaani/browser'
import type * as library from '../src/index.ts'

const entry = path.resolve(import.meta.dirname, '../src/index.ts')

/** Bundles the library's exports of these names as a browser or an edge runtime would load them. */
export const bundleForBrowsers = (names: readonly string[]): Promise<string> => bundleNames(names, entry)

/** Loads the library as a browser runs it, with WebCrypto instead of node:crypto. */
export async function loadForBrowsers<Name extends keyof typeof library>(
  names: readonly Name[],
): Promise<Pick<typeof library, Name>> {
  const code = await bundleForBrowsers(names)
  return import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`)
}
