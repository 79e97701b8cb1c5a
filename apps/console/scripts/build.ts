/** Builds the pages into `dist`, unless they are up to date. `dist` is complete or absent at any time. */
import { createHash, type Hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { glob, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import { thirdPartyLicenses } from '@vaani/licenses'

const here = path.resolve(import.meta.dirname, '..')
const dist = path.join(here, 'dist')
const INPUTS = [
  'index.html',
  'package.json',
  'scripts/build.ts',
  'src/**',
  '../../packages/{client,migration-charts,pcm-audio}/src/**',
]
/** A style has it, so it is in no list of modules. */
const FONT = '@fontsource-variable/noto-sans-devanagari/package.json'
/** Name of the file with the digest of the inputs. */
const DIGEST = 'inputs.sha256'

async function digestInputs(): Promise<string> {
  const hash: Hash = createHash('sha256')
  const entries = await Array.fromAsync(glob(INPUTS, { cwd: here, withFileTypes: true }))
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name))
  for (const file of files.sort()) hash.update(`${path.relative(here, file)}\n`).update(await readFile(file))
  return hash.digest('hex')
}

/** Returns the digest of the inputs of `dist`; null if there is none yet. */
async function readDigest(): Promise<string | null> {
  const file = path.join(dist, DIGEST)
  return existsSync(file) ? readFile(file, 'utf8') : null
}

async function buildInto(outDir: string): Promise<void> {
  // Loaded only here, because loading it takes half the time of a run that finds the pages up to date.
  const { build } = await import('vite')
  // Otherwise the environment of the server would choose, and could choose the slow React of developers.
  process.env['NODE_ENV'] = 'production'
  await build({
    root: here,
    base: '/console/',
    configFile: false,
    logLevel: 'error',
    plugins: [thirdPartyLicenses([fileURLToPath(import.meta.resolve(FONT))])],
    resolve: { conditions: ['vaani-source', 'browser', 'module', 'import', 'default'] },
    build: {
      outDir,
      target: 'es2024',
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      // Which files a page needs.
      manifest: 'manifest.json',
      // What pages share comes at once, so that each page is one file more.
      rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 2 }] } } },
    },
  })
  const assets = path.join(outDir, 'assets')
  for (const name of await readdir(assets)) {
    if (name.endsWith('.woff2')) continue
    const file = path.join(assets, name)
    await writeFile(`${file}.br`, await promisify(brotliCompress)(await readFile(file)))
  }
}

const digest = await digestInputs()
if ((await readDigest()) !== digest) {
  const beside = await mkdtemp(path.join(here, '.dist-'))
  try {
    await buildInto(beside)
    await writeFile(path.join(beside, DIGEST), digest)
    // Another process may have built the same meanwhile, and be reading it.
    if ((await readDigest()) !== digest) {
      await rm(dist, { recursive: true, force: true })
      await rename(beside, dist)
    }
  } finally {
    await rm(beside, { recursive: true, force: true })
  }
}
