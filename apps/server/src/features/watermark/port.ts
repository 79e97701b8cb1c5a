import type { Tenant } from '@vaani/service-kit/tenant'
import type { Watermark } from '@vaani/speech/watermark'

/** Speech that is about to be made. */
export interface MarkedSpeech {
  tenant: Tenant
  requestId: string
  /** Key under which the request may be repeated. */
  idempotencyKey: string | undefined
}

/** What the watermark feature offers to the other features. */
export interface WatermarkPort {
  /** Issues a watermark that leads to the request until the retention ends. */
  issue(speech: MarkedSpeech): Promise<Watermark>
}
