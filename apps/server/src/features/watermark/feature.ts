import multipart from '@fastify/multipart'
import { contract } from '@vaani/contracts'
import { mountStreamed } from '@vaani/service-kit/http/body/mount-streamed'
import { defineFeature, type Mount } from '@vaani/service-kit/service/define-feature'
import type { Services } from '@vaani/service-kit/service/services'
import { createDetectionThread } from '@vaani/speech/detection'
import { createIssuer } from './issue-watermark.ts'
import * as watermarks from './migrations/0021-watermarks.ts'
import type { WatermarkPort } from './port.ts'
import { detectWatermark } from './routes/detect.ts'
import { type WatermarkSettings, watermarkSettings } from './settings.ts'
import { createWatermarkStore } from './store.ts'

type Needs = Pick<Services, 'clock' | 'database' | 'held' | 'idempotency' | 'unsealed' | 'vault'> & {
  settings: WatermarkSettings
}

/** One more file than is allowed, so that the refusal can name the part. The size is limited while it arrives. */
const FORM_LIMITS = {
  fieldNameSize: 100,
  fields: 1,
  fieldSize: 4096,
  files: 2,
  parts: 3,
  fileSize: Number.POSITIVE_INFINITY,
}

/** The watermark of speech: what it leads to, and its detection in recordings. */
export const watermarkFeature = defineFeature({
  name: 'watermark',
  contract: { watermark: contract.watermark },
  settings: watermarkSettings,
  migrations: { '0021-watermarks': watermarks },
  async start(needs: Needs) {
    const { settings, clock, database, held, idempotency, unsealed, vault } = needs
    const store = createWatermarkStore({ database, clock, retentionDays: settings.watermarkRetentionDays })
    const keys = vault.deriveKeys('watermark')
    const detections = createDetectionThread()
    held.defer(() => detections.close())
    const port: WatermarkPort = { issue: createIssuer({ store, vault, clock, key: keys[0] }) }
    const mount: Mount = async (app) => {
      await app.register(async (scope) => {
        scope.removeAllContentTypeParsers()
        await scope.register(multipart, { limits: FORM_LIMITS })
        const receive = detectWatermark({ store, unsealed, vault, detections, keys })
        await mountStreamed(scope, contract.watermark.detect, { receive, idempotency })
      })
    }
    return { mounts: [mount], port, sweeps: { 'old watermarks': () => store.sweep() } }
  },
})
