import {
  type Call,
  type DeliveryAttempt,
  WEBHOOK_EVENT_TYPES,
  type WebhookDelivery,
  type WebhookEndpoint,
} from '@vaani/contracts'
import type { Receiver } from '@vaani/test-harness'
import { expect } from 'vitest'
import type { TestServer } from './test-server.ts'
import { until } from '@vaani/test-services/until'

export type DeliveryDetail = WebhookDelivery & { body: string | null; attempts: DeliveryAttempt[] }

const call = { to: '+9779812345678', agent_id: 'reminder', language: 'en-US' }

/** Actions of a customer in webhook tests, on the current server, key and receiver. */
export function webhookActions(current: () => { server: TestServer; receiver: Receiver; key: string }) {
  const api = <Body>(route: string, body?: object, method?: string) => {
    const { server, key } = current()
    return server.json<Body>(route, { key, ...(body && { body }), ...(method && { method }) })
  }
  const readDelivery = async (id: string) => (await api<DeliveryDetail>(`/webhooks/deliveries/${id}`)).body
  const untilDelivery = (id: string, condition: (delivery: DeliveryDetail) => boolean) =>
    until(() => readDelivery(id), condition)
  return {
    api,
    async place(more: object = {}): Promise<string> {
      const placed = await api<Call>('/agent/calls', { ...call, ...more })
      expect(placed).toMatchObject({ status: 201 })
      return placed.body.call_id
    },
    async createEndpoint(
      url = `${current().receiver.url}/hooks`,
      events: readonly string[] = WEBHOOK_EVENT_TYPES,
    ): Promise<WebhookEndpoint & { secret: string }> {
      const created = await api<WebhookEndpoint & { secret: string }>('/webhooks/endpoints', { url, events })
      expect(created).toMatchObject({ status: 201 })
      return created.body
    },
    readEndpoint: async (id: string) => (await api<WebhookEndpoint>(`/webhooks/endpoints/${id}`)).body,
    listDeliveries: async (query = '') =>
      (await api<{ data: WebhookDelivery[] }>(`/webhooks/deliveries${query}`)).body.data,
    readDelivery,
    async sendTest(endpointId: string, type = 'call.completed'): Promise<WebhookDelivery> {
      const sent = await api<WebhookDelivery>(`/webhooks/endpoints/${endpointId}/test`, { type })
      expect(sent).toMatchObject({ status: 202 })
      return sent.body
    },
    untilReceived: (count: number) =>
      until(
        async () => current().receiver.deliveries,
        (deliveries) => deliveries.length >= count,
      ),
    untilDelivery,
    untilStatus: (id: string, status: string) => untilDelivery(id, (delivery) => delivery.status === status),
  }
}
