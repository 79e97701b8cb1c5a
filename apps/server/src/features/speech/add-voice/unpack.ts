import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { createTarDecoder } from 'modern-tar'
import unbzip2 from 'unbzip2-stream'
import { AddVoiceError, reasonOf } from './add-voice-error.ts'

/** The data of eSpeak NG in a Piper model has about 360 files, and the largest model about 350 MB. */
const BOUNDS = { files: 5000, bytes: 2e9 }
const GZIP_MAGIC = 0x1f

/**
 * Unpacks a `.tar.bz2` or `.tar.gz` of files and folders into an empty folder.
 *
 * @returns the folder of the model: the only one in the archive, or else `folder`
 * @throws AddVoiceError if an entry leads out of the folder or is a link, if there is more than the bounds, or if the archive is damaged
 */
export async function unpack(
  archive: string,
  folder: string,
  { bounds = BOUNDS, signal }: { bounds?: typeof BOUNDS; signal: AbortSignal },
): Promise<string> {
  const left = { ...bounds }
  const bytes = new PassThrough()
  const decoder = (await isGzip(archive)) ? createGunzip() : unbzip2()
  const decoding = pipeline(createReadStream(archive), decoder, bytes, { signal })
  // Its failure also fails the reading of `bytes`.
  decoding.catch(() => undefined)
  try {
    for await (const { header, body } of Readable.toWeb(bytes).pipeThrough(
      createTarDecoder({ strict: true }),
    )) {
      const target = targetOf(folder, header.name)
      left.bytes -= header.size
      if (--left.files < 0) throw new AddVoiceError(`The archive has more than ${bounds.files} entries`)
      if (left.bytes < 0)
        throw new AddVoiceError(`The archive has more than ${bounds.bytes / 1e6} MB unpacked`)
      if (header.type === 'directory') await mkdir(target, { recursive: true })
      else if (header.type === 'file') {
        await mkdir(path.dirname(target), { recursive: true })
        await writeFile(target, body, { flag: 'wx' })
        continue
      } else throw new AddVoiceError(`The archive has an entry that is no file: ${header.name}`)
      await body.cancel()
    }
    await decoding
  } catch (error) {
    bytes.destroy()
    await decoding.catch(() => undefined)
    if (error instanceof AddVoiceError) throw error
    throw new AddVoiceError(`The archive cannot be unpacked: ${reasonOf(error)}`)
  }
  const [first, ...others] = await readdir(folder, { withFileTypes: true })
  return first?.isDirectory() && others.length === 0 ? path.join(folder, first.name) : folder
}

async function isGzip(file: string): Promise<boolean> {
  await using handle = await open(file)
  const { buffer } = await handle.read(Buffer.alloc(1))
  return buffer[0] === GZIP_MAGIC
}

/** Takes only names that mean the same everywhere. */
function targetOf(folder: string, name: string): string {
  const steps = name.replace(/\/$/, '').split('/')
  const isInside = steps.every(
    (step, at) => (step === '.' && at === 0) || /^(?!\.{0,2}$)[^\\:\0]+$/.test(step),
  )
  if (!isInside) throw new AddVoiceError(`The archive has an entry with a path that is not allowed: ${name}`)
  return path.join(folder, ...steps)
}
