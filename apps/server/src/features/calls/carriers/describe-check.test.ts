import type { CallEnded } from '@vaani/telephony'
import { expect, test } from 'vitest'
import type { LineEntry } from './carriers-file.ts'
import { describeCheckedCall } from './describe-check.ts'

const SIP: LineEntry = { type: 'sip', host: 'sip.example.com', transport: 'udp' }
const TWILIO: LineEntry = {
  type: 'twilio',
  account_sid: `AC${'0'.repeat(32)}`,
  auth_token_file: './token',
  caller_id: '+15017122661',
  public_url: 'https://voice.example.com',
  listen_address: '127.0.0.1',
  listen_port: 8090,
}
const ended = (outcome: CallEnded['outcome'], more: Partial<CallEnded> = {}): CallEnded => ({
  type: 'ended',
  outcome,
  endedBy: 'carrier',
  durationMs: 0,
  ...more,
})

test.each<[string, LineEntry, CallEnded, string]>([
  [
    'names what Twilio must reach',
    TWILIO,
    ended('carrier_error'),
    'Twilio failed, refused the call, or did not reach us. Look at the log of calls in its console, at public_url',
  ],
  [
    'names the trunk',
    SIP,
    ended('carrier_error', { sipStatus: 488 }),
    'the trunk failed, or refused the call (SIP',
  ],
  [
    'sends nobody to ports that Twilio does not use',
    TWILIO,
    ended('completed'),
    'the call was answered, and nothing was heard. Call an echo service',
  ],
  ['names the ports of media', SIP, ended('completed'), 'and nothing was heard. Look at advertised_address'],
])('a call that fails %s', (_name, entry, end, words) => {
  expect(describeCheckedCall({ ended: end, heard: 'nothing' }, entry)).toContain(words)
})
