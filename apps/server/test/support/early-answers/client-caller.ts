/**
 * Submits media with our client that the server rejects during the upload, then sends another request, and prints the results.
 * Runs in its own process, as the other callers do.
 */
import { ApiError, Vaani } from '@vaani/client'

const MIB = 1024 * 1024
const [baseUrl = '', goodKey = '', badKey = ''] = process.argv.slice(2)
const bytes = (count: number) => new Uint8Array(count).fill(65)

const results = []
for (const streamUploads of [true, false])
  for (const version of ['submit', 'submitV1'] as const)
    for (const [name, apiKey, imageBytes] of [
      ['a bad key', badKey, 8 * MIB],
      ['a large image', goodKey, 16 * MIB],
    ] as const) {
      const vaani = new Vaani({ apiKey, baseUrl, streamUploads })
      const media = {
        front_image: bytes(imageBytes),
        back_image: bytes(MIB),
        liveness_video: bytes(8 * MIB),
      }
      const refused = await vaani.identity[version](media).then(
        () => 'taken',
        (error: unknown) => (ApiError.isInstance(error) ? `${error.status} ${error.code}` : String(error)),
      )
      const next = await vaani.system.health().then(
        ({ status }) => status,
        (error: unknown) => String(error),
      )
      results.push({ name, refused, next })
    }
process.stdout.write(JSON.stringify(results))
