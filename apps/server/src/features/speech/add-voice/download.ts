import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AddVoiceError, reasonOf } from './add-voice-error.ts'

export interface DownloadOptions {
  /** More bytes are refused. */
  maxBytes: number
  /** Limit for all of it. */
  timeoutMs: number
  signal: AbortSignal
  /** Gets how much has arrived, in percent of `maxBytes`, at each tenth. */
  onProgress: (percent: number) => void
}

/** Downloads a file. It follows redirects. @throws AddVoiceError that names the host and the problem */
export async function download(url: string, file: string, options: DownloadOptions): Promise<void> {
  const { maxBytes, timeoutMs, onProgress } = options
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(timeoutMs)])
  const refuse = (problem: string) =>
    new AddVoiceError(`The download from ${new URL(url).host} failed: ${problem}`)
  let bytes = 0
  let tenths = 0
  const count = new Transform({
    transform(chunk: Uint8Array, _, done) {
      bytes += chunk.length
      if (bytes > maxBytes) return done(refuse(`it has more than ${maxBytes / 1e6} MB`))
      const reached = Math.floor((bytes / maxBytes) * 10)
      if (reached > tenths) onProgress(reached * 10)
      tenths = reached
      done(null, chunk)
    },
  })
  try {
    const response = await fetch(url, { signal })
    if (!response.ok || response.body === null) throw refuse(`the server answered ${response.status}`)
    await pipeline(Readable.fromWeb(response.body), count, createWriteStream(file), { signal })
  } catch (error) {
    if (error instanceof AddVoiceError) throw error
    throw refuse(reasonOf(signal.aborted ? signal.reason : error))
  }
}

/** @returns lower-case hexadecimal digits */
export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
