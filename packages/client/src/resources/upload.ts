import type { Operation } from '../errors.ts'
import type { Data, RouteOf } from './resource.ts'
import type { RequestOptions } from '../transport/client-options.ts'
import type { Pending } from '../transport/pending.ts'
import type { Transport } from '../transport/transport.ts'
import type { formUpload, jsonUpload, Media, UploadOptions } from '../upload/upload-body.ts'

/** Default limits of requests with media, enough for 100 MB over a slow line. */
const UPLOAD_LIMITS = { timeoutMs: 30 * 60_000, tryTimeoutMs: 10 * 60_000 } as const

const isBrowser = (): boolean => 'document' in globalThis || 'importScripts' in globalThis

/** Sends media with other fields, as JSON or as a form. */
export function upload<Name extends Operation, Answer = Data<Name>>(
  transport: Transport,
  route: RouteOf<Name>,
  encode: typeof jsonUpload | typeof formUpload,
  { media, fields }: { readonly media: Media; readonly fields: object },
  options: (RequestOptions & UploadOptions) | undefined,
): Pending<Answer> {
  return transport.send<Answer>({
    route,
    body: encode(media, fields, { ...options, stream: transport.streamUploads ?? !isBrowser() }),
    options: { ...UPLOAD_LIMITS, ...options },
  })
}
