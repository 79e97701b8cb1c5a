import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import * as pasted from './pasted.ts'
import { readBlocks } from './read-blocks.ts'

const root = path.resolve(import.meta.dirname, '../../..')

test('every operator page with shell commands is pasted', () => {
  const pages = globSync('docs/operate/*.md', { cwd: root }).filter(
    (page) => readBlocks(readFileSync(path.join(root, page), 'utf8')).length > 0,
  )
  const files = Object.values(pasted).flat()
  expect(pages.filter((page) => !files.includes(page))).toEqual([])
  expect(pages.length).toBeGreaterThan(10)
})
