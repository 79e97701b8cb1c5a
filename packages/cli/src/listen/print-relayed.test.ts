import { expect, test } from 'vitest'
import { createCli } from '../cli.ts'
import { createEnvironment } from '../test/run.ts'
import { printRelayed } from './print-relayed.ts'
import { type Relayed, showEvent } from './relay.ts'

const AT = '2026-11-22T12:00:00.000Z'
const clock = { nowMs: () => Date.parse(AT), after: () => () => undefined }

async function printed(relayed: Relayed, { isJson = false } = {}): Promise<string> {
  const { environment, stdout } = createEnvironment({ clock })
  await printRelayed(createCli(environment, { isJson, profile: () => undefined }), relayed)
  return stdout()
}

const event = { event_id: 'evt_1', type: 'call.failed', data: { call_id: 'call_1', to: '+977\u001B[2J' } }
const show = () => showEvent(Buffer.from(JSON.stringify(event)), event)

test('an event is printed with its data, without control characters', async () => {
  expect(await printed(await show())).toBe(
    `${AT}  call.failed  evt_1\n  call_id  call_1\n  to       +977\ufffd[2J\n`,
  )
  expect(JSON.parse(await printed(await show(), { isJson: true }))).toEqual({
    at: AT,
    type: 'event',
    event_id: 'evt_1',
    event_type: 'call.failed',
    event,
  })
})

test('a delivery is printed with its outcome, and a rejected one with the reason', async () => {
  const delivery = { type: 'delivery', event_id: 'evt_1', event_type: 'call.failed', duration_ms: 7 } as const
  expect(await printed({ ...delivery, status: 204, error: null })).toBe(
    `${AT}  call.failed  evt_1  204  7 ms\n`,
  )
  expect(await printed({ ...delivery, status: null, error: 'ECONNREFUSED' })).toBe(
    `${AT}  call.failed  evt_1  ECONNREFUSED  7 ms\n`,
  )
  expect(await printed({ type: 'refused', code: 'signature_mismatch' })).toBe(
    `${AT}  refused: signature_mismatch\n`,
  )
})
