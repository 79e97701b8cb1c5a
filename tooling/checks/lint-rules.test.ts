import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const calls = 'apps/server/src/features/calls'
const [globals, properties] = ['eslint(no-restricted-globals)', 'eslint(no-restricted-properties)']

/** Sources by path, with the codes that oxlint must report. */
const cases: Readonly<Record<string, { source: string; codes: readonly string[] }>> = {
  [`${calls}/rules/network.ts`]: { source: "void fetch('a')", codes: [globals] },
  [`${calls}/rules/deep/timer.ts`]: { source: 'setTimeout(String, 1)', codes: [globals] },
  [`${calls}/rules/environment.ts`]: { source: 'export const a = process.env', codes: [globals] },
  [`${calls}/rules/clock.ts`]: { source: 'export const a = Date.now()', codes: [properties] },
  [`${calls}/rules/stopwatch.ts`]: { source: 'export const a = performance.now()', codes: [globals] },
  [`${calls}/rules/chance.ts`]: { source: 'export const a = Math.random()', codes: [properties] },
  'apps/server/src/tenancy/rules/network.ts': { source: "void fetch('a')", codes: [globals] },
  [`${calls}/rules/clock.test.ts`]: { source: 'setTimeout(String, Date.now())', codes: [] },
  [`${calls}/elsewhere.ts`]: { source: 'setTimeout(String, Date.now())', codes: [] },
  'packages/client/src/stays-at-run-time.ts': {
    source: "import { type A } from './other.ts'\nexport type B = A",
    codes: ['typescript(no-import-type-side-effects)'],
  },
}

test('rules/ may use no global that does I/O, and types are imported as types', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'lint-rules-'))
  try {
    await copyFile(path.join(root, '.oxlintrc.json'), path.join(folder, '.oxlintrc.json'))
    for (const [file, { source }] of Object.entries(cases)) {
      await mkdir(path.join(folder, path.dirname(file)), { recursive: true })
      await writeFile(path.join(folder, file), source)
    }
    const diagnostics = await lint(folder)
    const found = Object.entries(cases).map(([file]) => [
      file,
      diagnostics.filter(({ filename }) => filename === file).map(({ code }) => code),
    ])
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(Object.entries(cases).map(([file, { codes }]) => [file, codes])),
    )
  } finally {
    await rm(folder, { recursive: true })
  }
})

interface Diagnostic {
  readonly code: string
  readonly filename: string
}

async function lint(folder: string): Promise<Diagnostic[]> {
  const program = path.join(root, 'node_modules/.bin/oxlint')
  const output = await new Promise<string>((resolve, reject) => {
    execFile(program, ['--format=json'], { cwd: folder }, (error, stdout) =>
      // oxlint exits with 1 if it reports anything.
      error && error.code !== 1 ? reject(error) : resolve(stdout),
    )
  })
  const { diagnostics }: { diagnostics: Diagnostic[] } = JSON.parse(output)
  return diagnostics
}
