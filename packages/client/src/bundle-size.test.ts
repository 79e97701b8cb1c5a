import path from 'node:path'
import { bundleNames, gzipLength } from '@vaani/browser'
import { expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }

interface Part {
  readonly name: string
  readonly exports: readonly string[]
  readonly file: string
  readonly mostBytes: number
}

const NAMESPACE_BYTES = 5100
/** Limits of the namespaces that do more than send requests. */
const LARGER: Readonly<Record<string, number>> = {
  batches: 5475,
  calls: 5375,
  identity: 6225,
  migration: 5750,
  models: 6350,
  ocr: 6025,
  voices: 5575,
  watermark: 5200,
}

const namespaces = Object.values(manifest.exports).flatMap((entry): Part[] => {
  const name =
    typeof entry === 'string' ? undefined : /^\.\/src\/resources\/(.*)\.ts$/.exec(entry['vaani-source'])?.[1]
  if (name === undefined) return []
  const create = `create-${name}`.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())
  return [
    {
      name,
      exports: [create],
      file: `resources/${name}.ts`,
      mostBytes: LARGER[name] ?? NAMESPACE_BYTES,
    },
  ]
})

test.each<Part>([
  {
    name: 'the whole client',
    exports: ['Vaani', 'ApiError', 'createWebhookInbox'],
    file: 'index.ts',
    // A namespace of plain routes takes some 50 bytes.
    mostBytes: 11_240 + 50 * namespaces.length,
  },
  { name: 'one class of errors', exports: ['ApiError'], file: 'errors.ts', mostBytes: 1000 },
  ...namespaces,
])('$name fits, minified and compressed, and loads nothing else', async ({ exports, file, mostBytes }) => {
  const code = await bundleNames(exports, path.join(import.meta.dirname, file))
  expect(gzipLength(code)).toBeLessThanOrEqual(mostBytes)
  expect(code).not.toMatch(/\bimport\b|\brequire\b/)
})
