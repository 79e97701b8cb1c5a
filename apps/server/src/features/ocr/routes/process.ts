import type { BinaryBody, OcrResult } from '@vaani/contracts'
import {
  CheckRunError,
  MediaError,
  meanConfidence,
  ocrLanguages,
  type ReadPage,
  textOf,
  toLanguageCodes,
} from '@vaani/identity-checks/ocr'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { departureSignal } from '@vaani/service-kit/http/connection/disconnect'
import type { StreamedRoute } from '@vaani/service-kit/http/body/streamed-route'
import type { OcrContext } from '../context.ts'
import { receiveDocument } from '../receive-document.ts'

type Answer = { status: 200; body: OcrResult | BinaryBody }

const BUSY_RETRY_SECONDS = 5

/** POST /v1/ocr/process */
export function processDocument(context: OcrContext): StreamedRoute<Answer> {
  return async ({ request, reply }) => {
    const { accountId } = principalOf(request)
    const signal = departureSignal(reply)
    const document = await receiveDocument(context, request)
    const { language, file } = document
    const isText = acceptsText(request.headers.accept)
    return {
      fields: { language, is_text: isText },
      files: new Map([['image', document]]),
      async act() {
        const languages = toLanguageCodes(language)
        if (languages === undefined)
          throw new ApiError(
            'invalid_request',
            `language: must be up to three of ${ocrLanguages().join(', ')}, joined by +`,
            { param: 'language' },
          )
        const pages = await read(context, { file, languages, owner: accountId, signal })
        const text = pages.map(({ blocks }) => textOf(blocks)).join('\f')
        if (isText) {
          reply.header('content-type', 'text/plain; charset=utf-8')
          return { status: 200, body: Buffer.from(text) }
        }
        return { status: 200, body: { text, language, ...describe(pages) } }
      },
      [Symbol.asyncDispose]: () => document[Symbol.asyncDispose](),
    }
  }
}

/** Whether a caller asks for text alone. Some clients name it beside JSON by default. */
const acceptsText = (accept = ''): boolean => accept.includes('text/plain') && !accept.includes('json')

async function read(
  { reader, metrics }: OcrContext,
  document: Parameters<OcrContext['reader']['read']>[0],
): Promise<ReadPage[]> {
  try {
    const pages = await reader.read(document)
    metrics.read.add({ outcome: 'read' })
    metrics.pages.add({}, pages.length)
    return pages
  } catch (error) {
    if (error instanceof MediaError) {
      metrics.read.add({ outcome: 'unreadable' })
      throw new ApiError('media_unreadable', `image: ${error.message}`, { param: 'image', cause: error })
    }
    const code = error instanceof CheckRunError ? error.code : 'failed'
    metrics.read.add({ outcome: code === 'aborted' ? 'left' : code === 'busy' ? 'busy' : 'failed' })
    if (!(error instanceof CheckRunError) || code === 'aborted') throw error
    throw new ApiError('service_unavailable', 'Too many documents are being read', {
      retryAfterSeconds: BUSY_RETRY_SECONDS,
      cause: error,
    })
  }
}

function describe(pages: readonly ReadPage[]): Omit<OcrResult, 'text' | 'language'> {
  const confidence = meanConfidence(pages.flatMap(({ blocks }) => blocks))
  const fields = pages.map((page) => page.fields).find((found) => Object.keys(found).length > 0)
  return {
    confidence: Math.round(confidence * 1000) / 1000,
    pages: pages.map(({ fields: _, ...page }) => page),
    ...(fields && { fields }),
  }
}
