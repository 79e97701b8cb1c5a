/**
 * Writes the API report of each entry of each published package, `etc/*.api.md`, from its built declarations. With `--check`
 * it writes nothing, and fails if a report is stale, so that every review shows changes of the public API.
 */
import { existsSync, globSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { CompilerState, Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor'
import { type Entry, listEntries } from './published-entries.ts'

const root = path.resolve(import.meta.dirname, '../..')
const isCheck = process.argv.includes('--check')
/** All global types that our declarations use; without them the library fails with an internal error. */
const compilerOptions = {
  target: 'es2024',
  lib: ['es2024', 'esnext.disposable', 'esnext.array', 'dom', 'dom.iterable', 'dom.asynciterable'],
  module: 'nodenext',
  strict: true,
  skipLibCheck: true,
  typeRoots: [path.join(root, 'node_modules/@types')],
  types: ['node'],
}
const silent = { default: { logLevel: ExtractorLogLevel.None } }

const temporary = await mkdtemp(path.join(tmpdir(), 'api-reports-'))
try {
  const entries = listEntries(root)
  const missing = entries.filter(({ declarations }) => !existsSync(declarations))
  if (missing.length > 0) throw new Error(`not built: ${missing.map(({ report }) => report).join(', ')}`)
  // The library does not create a missing folder: it prints an error and continues.
  if (!isCheck)
    for (const { report } of entries) await mkdir(path.join(root, path.dirname(report)), { recursive: true })
  const configurations = entries.map(configurationOf)
  const [first] = configurations
  if (first === undefined) throw new Error('there is no published package')
  // One program for all, because reading third-party declarations takes most of the time.
  const compilerState = CompilerState.create(first, {
    additionalEntryPoints: entries.map(({ declarations }) => declarations),
  })
  const changed = configurations.filter((configuration) => {
    const { apiReportChanged } = Extractor.invoke(configuration, {
      compilerState,
      localBuild: !isCheck,
      messageCallback: (message) => {
        message.handled = true
      },
    })
    return apiReportChanged
  })
  const known = new Set(entries.map(({ report }) => report))
  const strays = globSync('packages/*/etc/*.api.md', { cwd: root }).filter((file) => !known.has(file))
  if (!isCheck) await Promise.all(strays.map((file) => rm(path.join(root, file))))
  const stale = [...changed.map(({ reportFilePath }) => path.relative(root, reportFilePath)), ...strays]
  for (const file of stale) console.log(`${isCheck ? 'stale' : 'written'}: ${file}`)
  if (isCheck && stale.length > 0) {
    console.log('Run `pnpm generate`, and commit what it writes.')
    process.exitCode = 1
  }
} finally {
  await rm(temporary, { recursive: true })
}

function configurationOf({ directory, declarations, report }: Entry): ExtractorConfig {
  const projectFolder = path.join(root, directory)
  return ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: path.join(projectFolder, 'package.json'),
    configObject: {
      projectFolder,
      mainEntryPointFilePath: declarations,
      newlineKind: 'lf',
      apiReport: {
        enabled: true,
        reportFolder: path.join(root, path.dirname(report)),
        reportTempFolder: temporary,
        reportFileName: path.basename(report),
      },
      compiler: { overrideTsconfig: { compilerOptions } },
      messages: {
        compilerMessageReporting: silent,
        extractorMessageReporting: silent,
        tsdocMessageReporting: silent,
      },
    },
  })
}
