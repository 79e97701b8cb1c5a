import {
  CALL_EVENT_TYPES,
  ENDPOINT_EVENT_TYPES,
  type EndpointEventType,
  type WebhookEndpoint,
  type WebhookEventType,
} from '@vaani/contracts'
import type { IdMaker } from '@vaani/service-kit/ids'

/** Makes the data of a sample event, which is marked as a test. */
export type MakeSample = (options: { now: Date; makeId: IdMaker; livemode: boolean }) => {
  objectId: string
  data: object
}

/** Makes a sample of each type of event. */
export type Samples<Type extends WebhookEventType> = Readonly<Record<Type, MakeSample>>

const sampleWith =
  (more: (at: string) => Partial<WebhookEndpoint>): MakeSample =>
  ({ now, makeId, livemode }) => {
    const at = now.toISOString()
    const endpoint_id = makeId('endpoint')
    const data: WebhookEndpoint = {
      endpoint_id,
      url: 'https://example.com/test_event',
      events: [CALL_EVENT_TYPES.completed],
      livemode,
      enabled: true,
      disabled_reason: null,
      disabled_at: null,
      failing_since: at,
      created_at: at,
      ...more(at),
    }
    return { objectId: endpoint_id, data }
  }

export const ENDPOINT_SAMPLES: Samples<EndpointEventType> = {
  [ENDPOINT_EVENT_TYPES.failing]: sampleWith(() => ({})),
  [ENDPOINT_EVENT_TYPES.disabled]: sampleWith((at) => ({
    enabled: false,
    disabled_reason: 'failing',
    disabled_at: at,
  })),
}
