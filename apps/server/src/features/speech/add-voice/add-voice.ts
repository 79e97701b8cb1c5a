import { chmod, chown, lstat, mkdir, realpath, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { syncDirectory } from '@vaani/service-kit/files/sync-directory'
import { ownEnginesFile } from '../engines-file.ts'
import { hasAdapter, installAdapter, isAdapterBuiltIn } from './adapter.ts'
import { AddVoiceError, reasonOf } from './add-voice-error.ts'
import { claim } from './claim.ts'
import { download, sha256Of } from './download.ts'
import { readContent, readWithout } from './engines-content.ts'
import { letSpeak } from './let-speak.ts'
import { mergeEngine, orderFor } from './merge-engines.ts'
import { findModelFiles } from './model-files.ts'
import { unpack } from './unpack.ts'
import type { VoiceRequest } from './voice-request.ts'

export interface AddVoiceOptions {
  settings: { dataDirectory: string; speechEnginesFile: string | undefined }
  signal: AbortSignal
  print: (text: string) => void
}

const DOWNLOAD_LIMIT_MS = 3_600_000
const NEW_FILE_MODE = 0o644

/**
 * Gets a model, checks it, lets it speak, and adds it to the engines' file. Everything is prepared aside and put in place by renaming,
 * where nothing is yet, so that a failure changes nothing. One process at a time does this.
 *
 * @returns the engines' file, the model's folder, and the engines that the file asks for its first language, in their order
 * @throws AddVoiceError
 * @throws ConfigError if the engines' file is invalid
 */
export async function addVoice(
  request: VoiceRequest,
  { settings, signal, print }: AddVoiceOptions,
): Promise<{ file: string; folder: string; order: string[] }> {
  const { name, languages } = request
  const voices = path.resolve(settings.dataDirectory, 'voices')
  const folder = path.join(voices, name)
  const given = path.resolve(settings.speechEnginesFile ?? ownEnginesFile(settings.dataDirectory))
  const { file, isLink } = await followLink(given)
  await readWithout(file, name)
  await using undo = new AsyncDisposableStack()
  const [staging, draft] = await orRefuse(
    `${voices} and ${path.dirname(file)} must be writable`,
    async () => {
      await makeFolder(voices, undo)
      const makeModel = (own: string) => mkdir(path.join(own, 'model'), { recursive: true })
      return [
        await claim(path.join(voices, '.adding-'), makeModel, undo),
        await claim(`${file}.adding-`, (own) => makeLike(file, own), undo),
      ] as const
    },
  )
  await refuseExisting(folder)

  const archive = await getArchive(request, { folder: staging, signal, print })
  print('Unpacking it, which takes up to some minutes\n')
  const unpacked = await unpack(archive, path.join(staging, 'model'), { signal })
  const filesAt = await findModelFiles(unpacked, request.family)
  const adapter = await findAdapter({ voices, staging, signal, print })
  const model = { languages, voices: request.voices }
  print('Speaking with it once\n')
  await letSpeak({ ...model, files: filesAt(unpacked) }, { directory: adapter.directory, signal })

  const models = [
    { ...model, languages: [...languages], files: filesAt(isLink ? folder : placeOf(folder, given)) },
  ]
  const entry = { type: 'sherpa' as const, models, ...(adapter.lasting && { directory: adapter.lasting }) }
  const tags = languages.map((row) => (typeof row === 'string' ? row : row.tag))
  await orRefuse('The voice could not be put in place', async () => {
    // Read again, because the operator may have changed it in the meantime.
    const content = mergeEngine(await readWithout(file, name), { name, entry, languages: tags })
    await writeFile(draft, `${JSON.stringify(content, null, 2)}\n`, { flag: 'r+', flush: true })
    if (adapter.isNew) await move(adapter.directory, adapter.lasting, undo)
    await move(unpacked, folder, undo)
    await syncDirectory(voices)
    await rename(draft, file)
  })
  undo.move()
  await rm(staging, { recursive: true, force: true })
  const [first = ''] = tags
  return { file, folder, order: orderFor(await readContent(file), first) }
}

async function getArchive(
  { source, sha256, maxBytes }: VoiceRequest,
  { folder, signal, print }: { folder: string; signal: AbortSignal; print: (text: string) => void },
): Promise<string> {
  const file = 'file' in source ? source.file : path.join(folder, 'archive')
  if ('url' in source) {
    const { origin, pathname } = new URL(source.url)
    // Without the query, which may have a secret.
    print(`Downloading ${origin}${pathname}\n`)
    const onProgress = (percent: number) => print(`${percent} % of ${maxBytes / 1e6} MB\n`)
    await download(source.url, file, { maxBytes, timeoutMs: DOWNLOAD_LIMIT_MS, signal, onProgress })
  }
  const actual = await orRefuse(`${file} cannot be read`, () => sha256Of(file))
  if (actual === sha256) return file
  throw new AddVoiceError(`The archive is not the one that is meant: its SHA-256 is ${actual}, not ${sha256}`)
}

/** Where the adapter is now and where it will be, unless the server finds it anyway. */
type Adapter =
  | { isNew: false; directory: undefined; lasting: undefined }
  | { isNew: boolean; directory: string; lasting: string }

async function findAdapter(options: {
  voices: string
  staging: string
  signal: AbortSignal
  print: (text: string) => void
}): Promise<Adapter> {
  const { voices, staging, signal, print } = options
  if (isAdapterBuiltIn()) return { isNew: false, directory: undefined, lasting: undefined }
  const lasting = path.join(voices, 'packages')
  const found = [lasting, process.cwd()].find(hasAdapter)
  if (found !== undefined) return { isNew: false, directory: found, lasting: found }
  await refuseExisting(lasting)
  print('Installing sherpa-onnx from npm\n')
  const directory = path.join(staging, 'packages')
  await installAdapter(directory, { lasting, signal })
  return { isNew: true, directory, lasting }
}

/**
 * Relative to the engines' file if it is below that, so that both can be moved together. The server resolves it from the path that it was
 * given, not from where a link leads.
 */
function placeOf(folder: string, file: string): string {
  const relative = path.relative(path.dirname(file), folder)
  return relative.startsWith('..') || path.isAbsolute(relative) ? folder : relative
}

/** Moves a folder to where nothing is. */
async function move(from: string, to: string, undo: AsyncDisposableStack): Promise<void> {
  await refuseExisting(to)
  await rename(from, to)
  undo.defer(() => rm(to, { recursive: true, force: true }))
}

async function refuseExisting(folder: string): Promise<void> {
  if (!(await exists(folder))) return
  throw new AddVoiceError(`${folder} exists already. If no file of engines uses it, remove it first`)
}

const exists = (file: string): Promise<boolean> =>
  lstat(file).then(
    () => true,
    () => false,
  )

/** Undoing removes only what is still empty, because a server may have started on it. */
async function makeFolder(folder: string, undo: AsyncDisposableStack): Promise<void> {
  const first = await mkdir(folder, { recursive: true })
  if (first === undefined) return
  undo.defer(async () => {
    for (let made = folder; made.startsWith(first); made = path.dirname(made))
      await rmdir(made).catch(() => undefined)
  })
}

/** Follows a link, so that the file is replaced and not the link. */
async function followLink(given: string): Promise<{ file: string; isLink: boolean }> {
  const isLink = await lstat(given).then(
    (found) => found.isSymbolicLink(),
    () => false,
  )
  const file = await realpath(given).catch(() => given)
  if (isLink && file === given) throw new AddVoiceError(`${given} is a link to a file that does not exist`)
  return { file, isLink }
}

/** Makes an empty file with the owner and the mode of another. */
async function makeLike(file: string, own: string): Promise<void> {
  await writeFile(own, '', { mode: 0o600, flag: 'wx' })
  const found = await stat(file).catch(() => undefined)
  if (found !== undefined) await chown(own, found.uid, found.gid)
  // Separately, because the process may mask the mode of what it creates.
  await chmod(own, found?.mode ?? NEW_FILE_MODE)
}

async function orRefuse<Value>(problem: string, act: () => Promise<Value>): Promise<Value> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof Error && !('syscall' in error)) throw error
    throw new AddVoiceError(`${problem}: ${reasonOf(error)}`)
  }
}
