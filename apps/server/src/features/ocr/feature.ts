import { availableParallelism } from 'node:os'
import type { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import { contract, LIMITS } from '@vaani/contracts'
import { createDocumentReader } from '@vaani/identity-checks/ocr'
import { mountStreamed } from '@vaani/service-kit/http/body/mount-streamed'
import { defineFeature, type Mount } from '@vaani/service-kit/service/define-feature'
import type { Services } from '@vaani/service-kit/service/services'
import { z } from 'zod'
import { declareOcrMetrics, type OcrMetrics } from './metrics.ts'
import { processDocument } from './routes/process.ts'
import { type OcrSettings, ocrSettings } from './settings.ts'

type Needs = Pick<Services, 'held' | 'idempotency' | 'log' | 'unsealed' | 'vault'> & {
  settings: OcrSettings
  metrics: OcrMetrics
}

/** One more of each than is allowed, so that the refusal can name the part. The size is limited while it arrives. */
const FORM_LIMITS = {
  fieldNameSize: 100,
  fields: 2,
  fieldSize: 4096,
  files: 2,
  parts: 4,
  fileSize: Number.POSITIVE_INFINITY,
}

/** Text recognition of documents. */
export const ocrFeature = defineFeature({
  name: 'ocr',
  contract: { models: { ocr: contract.models.ocr } },
  settings: ocrSettings,
  metrics: declareOcrMetrics,
  async start({ settings, metrics, held, idempotency, log, unsealed, vault }: Needs) {
    const reader = held.use(
      createDocumentReader({
        // An account may use all but one, so that one is left for the others.
        places: Math.max(2, availableParallelism()),
        maxPages: LIMITS.ocrPages,
        pageProcessorMs: settings.ocrPageSeconds * 1000,
        onTrouble: ({ job, end }) => log.warn({ operation: job, outcome: end }, 'A document was not read'),
      }),
    )
    const mount: Mount = async (app) => {
      await app.register(async (scope) => {
        scope.removeAllContentTypeParsers()
        await scope.register(multipart, { limits: FORM_LIMITS })
        scope.addContentTypeParser('application/json', (_, payload, done) => done(null, payload))
        const receive = processDocument({ reader, metrics, unsealed, vault })
        // The body is parsed while it arrives, so no schema validates it here.
        const route = { ...contract.models.ocr, body: z.custom<Readable>() }
        await mountStreamed(scope, route, { receive, idempotency })
      })
    }
    return { mounts: [mount], port: undefined }
  },
})
