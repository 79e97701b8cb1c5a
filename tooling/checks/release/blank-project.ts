import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { CHROMIUM } from '@vaani/browser'
import { chromium } from 'playwright-core'
import { rolldown } from 'rolldown'
import { findExample } from '../readmes/readme-example.ts'
import { OLDER_TYPESCRIPT } from './older-resolutions.ts'
import type { PublishedPackage } from './repository-copy.ts'
import { runCommand } from './run-command.ts'

/** Packages that such a project usually has besides ours, and the peers that READMEs ask for. */
const TOOLS = [
  'typescript@7.0.2',
  OLDER_TYPESCRIPT,
  '@types/node@24',
  'fastify@5',
  'vitest@5.1.1',
  'jest@30.5.2',
  'sherpa-onnx-node@1.13.8',
]
const PAGE_LIMIT_MS = 30_000
/** Never requested from the network; https because browsers provide `crypto.subtle` only on secure origins. */
const PAGE_URL = 'https://example.localhost/'

/** Of a strict project. */
export const compilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  noEmit: true,
  target: 'es2024',
  lib: ['es2024', 'esnext.disposable', 'esnext.array', 'dom', 'dom.asynciterable'],
  types: ['node'],
}
/** Module resolution of Node, and of bundlers. */
const RESOLUTIONS = {
  node: { module: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
}

export type Runner = 'node:test' | 'vitest' | 'jest'
const RUNS: Readonly<Record<Runner, readonly string[]>> = {
  'node:test': ['--test', 'examples/node-test.test.mjs'],
  vitest: ['node_modules/vitest/vitest.mjs', 'run', 'examples/vitest.test.mjs'],
  jest: [
    '--experimental-vm-modules',
    'node_modules/jest/bin/jest.js',
    '--testMatch',
    '**/examples/jest.test.mjs',
  ],
}

/** A third-party project that has only our packages from the registry. */
export interface BlankProject {
  /** Runs the example of a package's README. @returns what it prints */
  runExample(name: string): Promise<string>
  /** Compiles the examples that were run. */
  checkTypes(): Promise<void>
  /** Bundles an example, runs it in Chromium, and expects what it printed in Node. */
  runInBrowser(options: { name: string; expected: string }): Promise<void>
  runTests(runner: Runner): Promise<void>
  /** Updates a package within its range in package.json, and expects this version. */
  upgrade(name: string, version: string): Promise<void>
}

export async function createBlankProject(options: {
  directory: string
  npmrc: string
  packages: readonly PublishedPackage[]
}): Promise<BlankProject> {
  const { directory, npmrc, packages } = options
  await mkdir(directory)
  const write = (file: string, text: string): Promise<void> => writeFile(path.join(directory, file), text)
  await write('package.json', '{ "private": true, "type": "module" }')
  await write('.npmrc', npmrc)
  const npm = (...parameters: string[]): Promise<string> =>
    runCommand('npm', [...parameters, '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: directory })
  const node = (parameters: readonly string[]): Promise<string> =>
    runCommand(process.execPath, parameters, { cwd: directory })
  await npm('install', ...packages.map(({ name, version }) => `${name}@^${version}`), ...TOOLS)
  const fileOf = (name: string): string => `example-${name.replace(/^@.*\//, '')}.mts`

  return {
    async runExample(name) {
      const readme = await readFile(path.join(directory, 'node_modules', name, 'README.md'), 'utf8')
      const example = findExample(readme)
      if (example === undefined) throw new Error(`The README of ${name} has no example`)
      await write(fileOf(name), example)
      return node([fileOf(name)])
    },

    async checkTypes() {
      for (const [name, resolution] of Object.entries(RESOLUTIONS)) {
        const configuration = { ...compilerOptions, ...resolution }
        const file = `tsconfig.${name}.json`
        await write(file, JSON.stringify({ compilerOptions: configuration, include: ['*.mts'] }))
        await node(['node_modules/typescript/bin/tsc', '-p', file])
      }
    },

    async runInBrowser({ name, expected }) {
      if (CHROMIUM === undefined) throw new Error('There is no Chromium on this machine')
      await using bundle = await rolldown({
        input: path.join(directory, fileOf(name)),
        platform: 'browser',
        logLevel: 'warn',
      })
      const { output } = await bundle.generate({ format: 'esm', minify: true, codeSplitting: false })
      const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
      try {
        const page = await browser.newPage()
        const lines: string[] = []
        page.on('console', (message) => lines.push(message.text()))
        const ended = new Promise<void>((resolve, reject) => {
          page.on('console', (message) => (message.text() === END ? resolve() : undefined))
          page.on('pageerror', (error) => reject(new Error(`In Chromium: ${error.message}`)))
          setTimeout(() => reject(new Error('In Chromium it does not end')), PAGE_LIMIT_MS).unref()
        })
        const script = `${output[0].code}\nconsole.log('${END}')`.replaceAll(
          '</script',
          String.raw`<\/script`,
        )
        const body = `<script type="module">${script}</script>`
        await page.route(PAGE_URL, (route) => route.fulfill({ contentType: 'text/html', body }))
        await Promise.all([page.goto(PAGE_URL), ended])
        const printed = lines.filter((line) => line !== END).join('\n')
        if (bare(printed) !== bare(expected))
          throw new Error(`In Chromium it prints\n${printed}\nand in Node\n${expected}`)
      } finally {
        await browser.close()
      }
    },

    async runTests(runner) {
      await node(RUNS[runner])
    },

    async upgrade(name, version) {
      await npm('update', name)
      const manifest = await readFile(path.join(directory, 'node_modules', name, 'package.json'), 'utf8')
      if (versionOf(JSON.parse(manifest)) !== version)
        throw new Error(`npm update did not update ${name} to ${version}`)
    },
  }
}

const versionOf = (manifest: unknown): unknown =>
  typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : undefined

/** Removes the differences between Node's and Chromium's output of one value: `[ 'to' ]` and `[to]`. */
const bare = (printed: string): string => printed.replaceAll(/[\s'"]/g, '')

/** Printed by a page when an example has ended. */
const END = 'the example has ended'
