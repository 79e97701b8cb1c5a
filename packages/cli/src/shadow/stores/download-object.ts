import { open } from 'node:fs/promises'
import type { Clock, Fetch } from '@vaani/client'
import { AwsV4Signer } from 'aws4fetch'
import { causeCodeOf } from '../../failure/cause-code.ts'
import { CliError } from '../../failure/cli-error.ts'
import { sleep } from '../../clock.ts'
import type { BucketAddress } from './bucket-address.ts'
import { ObjectError, TemporaryError, toError } from './bucket-error.ts'

const MAX_ATTEMPTS = 5
const FIRST_DELAY_MS = 500
/** Limit for the head of an answer, and between two parts of it. */
const STALL_MS = 30_000
/** Limit for an attempt. */
const ATTEMPT_MS = 10 * 60_000

export interface Download {
  readonly address: BucketAddress
  readonly key: string
  /** Path of the new file. */
  readonly file: string
  readonly maxBytes: number
  readonly signal: AbortSignal
  readonly clock: Clock
  readonly fetch: Fetch
}

/**
 * Downloads an object, again if the service or the connection fails.
 *
 * @throws ObjectError if this object cannot be read or is too large; CliError if others could not be read either
 */
export async function downloadObject(download: Download): Promise<void> {
  const { clock, signal } = download
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptDownload(download)
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof TemporaryError)) throw error
      if (attempt === MAX_ATTEMPTS)
        throw new CliError(`${error.message}, after ${MAX_ATTEMPTS} attempts`, { family: 'unavailable' })
      await sleep({ delayMs: FIRST_DELAY_MS * 2 ** (attempt - 1) * (0.5 + Math.random()), clock, signal })
    }
  }
}

async function attemptDownload({
  address,
  key,
  file,
  maxBytes,
  signal,
  clock,
  fetch,
}: Download): Promise<void> {
  const limit = new AbortController()
  const within = async <Result>(delayMs: number, run: () => Promise<Result>): Promise<Result> => {
    const cancel = clock.after(delayMs, () =>
      limit.abort(new TemporaryError('the storage service is too slow')),
    )
    try {
      return await run()
    } finally {
      cancel()
    }
  }
  const ofService = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    try {
      return await within(STALL_MS, run)
    } catch (error) {
      limit.signal.throwIfAborted()
      const code = causeCodeOf(error)
      throw new TemporaryError(`there is no connection to the storage service${code ? ` (${code})` : ''}`)
    }
  }
  try {
    await within(ATTEMPT_MS, async () => {
      const { url, headers } = await sign(address, key)
      const response = await ofService(() =>
        fetch(url, { headers, redirect: 'manual', signal: AbortSignal.any([signal, limit.signal]) }),
      )
      if (!response.ok) throw await ofService(() => toError(response, address.bucket))
      const tooLarge = new ObjectError(`the object is larger than ${Math.floor(maxBytes / 1_048_576)} MiB`)
      if (Number(response.headers.get('content-length')) > maxBytes) throw tooLarge
      await using out = await open(file, 'w', 0o600)
      const reader = response.body?.getReader()
      let bytes = 0
      for (;;) {
        const part = await ofService(async () => reader?.read())
        if (part === undefined || part.done) return
        bytes += part.value.length
        if (bytes > maxBytes) throw tooLarge
        await out.appendFile(part.value)
      }
    })
  } finally {
    // Closes the connection of an answer that was not read to its end.
    limit.abort()
  }
}

async function sign({ url, region, credentials }: BucketAddress, key: string) {
  const path = key.split('/').map(encodeURIComponent).join('/')
  const signed = await new AwsV4Signer({
    ...credentials,
    region,
    service: 's3',
    url: `${url}/${path}`,
  }).sign()
  return { url: signed.url.href, headers: signed.headers }
}
