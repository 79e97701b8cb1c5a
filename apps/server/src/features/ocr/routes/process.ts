import { type BinaryBody, LIMITS, type OcrDocument, type OcrOptions, type OcrResult } from '@vaani/contracts'
import { MediaError, ocrLanguages, type ReadPage, toLanguageCodes } from '@vaani/identity-checks/ocr'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { StreamedRoute } from '@vaani/service-kit/http/body/streamed-route'
import { departureSignal } from '@vaani/service-kit/http/connection/disconnect'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { innerCallerOf } from '@vaani/service-kit/http/inner/inner-requests'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OcrContext } from '../context.ts'
import { acceptDocument } from '../documents/accept-document.ts'
import { documentLimit } from '../documents/limit.ts'
import { readNow } from '../read-now.ts'
import { type ReceivedDocument, receiveDocument } from '../receive-document.ts'
import { describePages, textOfPages } from '../describe-pages.ts'
import { prefersAsync, RESPOND_ASYNC } from '../rules/prefers-async.ts'

type Answer = { status: 200; body: OcrResult | BinaryBody } | { status: 202; body: OcrDocument }

/** POST /v1/ocr/process */
export function processDocument(context: OcrContext): StreamedRoute<Answer> {
  return async ({ request, reply }) => {
    const isText = acceptsText(request.headers.accept)
    const isAsync = prefersAsync(request.headers.prefer?.toString())
    // Skip this early check with an Idempotency-Key, because a replay needs no room.
    if (isAsync && request.headers['idempotency-key'] === undefined)
      await documentLimit.requireRoom(context.database, principalOf(request))
    const signal = departureSignal(reply)
    const document = await receiveDocument(context, request)
    return {
      fields: { ...fingerprinted(document.options), is_text: isText, is_async: isAsync },
      files: new Map([['image', document]]),
      act: () => act(context, { request, reply, document, signal, isText, isAsync }),
      [Symbol.asyncDispose]: () => document[Symbol.asyncDispose](),
    }
  }
}

/** Options that are not the default. Keys of requests from before there were these options stay valid. */
const fingerprinted = ({ language, orientation, text_layer }: OcrOptions) => ({
  language,
  ...(orientation !== 'auto' && { orientation }),
  ...(text_layer !== 'auto' && { text_layer }),
})

/** Whether a caller asks for text alone. Some clients name it beside JSON by default. */
const acceptsText = (accept = ''): boolean => accept.includes('text/plain') && !accept.includes('json')

async function act(
  context: OcrContext,
  options: {
    request: FastifyRequest
    reply: FastifyReply
    document: ReceivedDocument
    signal: AbortSignal
    isText: boolean
    isAsync: boolean
  },
): Promise<Answer> {
  const { request, reply, document, signal, isText, isAsync } = options
  const { file } = document
  const { language, orientation, text_layer: textLayer } = document.options
  const reading = {
    file,
    languages: languagesOf(language),
    orientation,
    textLayer,
    owner: principalOf(request).accountId,
    signal,
  }
  const count = await readNow(context, () => context.reader.countPages(reading))
  // A batch is work in the background already.
  const isInner = innerCallerOf(request.raw) !== undefined
  if (!isInner && (isAsync || count > LIMITS.ocrPagesAtOnce)) {
    const accepted = await acceptDocument(context, request, { document, pages: count })
    if (isAsync) reply.header('preference-applied', RESPOND_ASYNC)
    return accepted
  }
  const pages = await readNow(context, async () => requireRead(await context.reader.read(reading, count)))
  context.metrics.read.add({ outcome: 'read' })
  context.metrics.pages.add({}, pages.length)
  if (!isText) return { status: 200, body: { ...describePages(pages), language } }
  reply.header('content-type', 'text/plain; charset=utf-8')
  return { status: 200, body: Buffer.from(textOfPages(pages)) }
}

/** @throws MediaError if no page could be read */
function requireRead(pages: readonly ReadPage[]): readonly ReadPage[] {
  const [first] = pages
  if (first?.error !== undefined && pages.every(({ error }) => error !== undefined))
    throw new MediaError(first.error.code, first.error.message)
  return pages
}

function languagesOf(language: string): readonly string[] {
  const codes = toLanguageCodes(language)
  if (codes !== undefined) return codes
  throw new ApiError(
    'invalid_request',
    `language: must be up to three of ${ocrLanguages().join(', ')}, joined by +`,
    { param: 'language' },
  )
}
