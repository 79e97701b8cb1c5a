import type { MigrationEvent } from '@vaani/contracts/migration'
import type { Clock } from '@vaani/service-kit/clock'
import { type Dispatcher, request } from 'undici'
import type { AlertSettings } from './settings.ts'

/** From dialling to the status. */
const TIMEOUT_MS = 10_000
const MAX_ANSWER_BYTES = 65_536

/** The receiver did not accept an alert. */
class AlertRefusedError extends Error {
  override readonly name = 'AlertRefusedError'
  readonly code = 'alert_refused'

  constructor() {
    super('The receiver did not accept an alert')
  }
}

export type SendAlert = (event: MigrationEvent) => Promise<void>

/** Creates a sender of signed webhooks. Each attempt is signed anew, because verifiers refuse old signatures. */
export const webhookSender =
  (
    { url, signer }: NonNullable<AlertSettings['alerts']['webhook']>,
    { clock, dispatcher }: { clock: Clock; dispatcher: Dispatcher },
  ): SendAlert =>
  async (event) => {
    const body = JSON.stringify(event)
    const timestampSeconds = Math.floor(clock.nowMs() / 1000)
    await post(dispatcher, url, body, await signer.sign(body, { id: event.event_id, timestampSeconds }))
  }

/** Creates a sender of messages to a chat. */
export const slackSender =
  (url: string, dispatcher: Dispatcher): SendAlert =>
  (event) =>
    post(dispatcher, url, JSON.stringify({ text: escapeText(event.data.summary) }), {})

/** Escapes what Slack reads as a mention or a link (https://docs.slack.dev/messaging/formatting-message-text#escaping). */
const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Follows no redirect, and waits for no more than the status. */
async function post(
  dispatcher: Dispatcher,
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const answer = await request(url, {
    dispatcher,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'Vaani-Shadow/1', ...headers },
    body,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  await answer.body.dump({ limit: MAX_ANSWER_BYTES }).catch(() => undefined)
  if (answer.statusCode < 200 || answer.statusCode >= 300) throw new AlertRefusedError()
}
