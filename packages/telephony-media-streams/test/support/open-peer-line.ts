import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Carrier } from '@vaani/telephony'
import {
  type CallProviderPeer,
  PEER_ACCOUNTS,
  type PeerOptions,
  type PeerProvider,
  startCallProviderPeer,
} from '@vaani/test-services/call-provider'
import type { CarrierSettings } from '../../src/line/line-options.ts'
import { createTelnyxCarrier } from '../../src/line/telnyx-carrier.ts'
import { createTwilioCarrier } from '../../src/line/twilio-carrier.ts'
import { createVonageCarrier } from '../../src/line/vonage-carrier.ts'
import { freePort } from './free-port.ts'

/** Runs an action after a test. */
export type OnFinished = (cleanUp: () => Promise<void>) => void

export const CALLER_ID = '+9779800000001'

/** Opens a carrier whose provider is a peer on this machine. */
export async function openPeerLine(
  onFinished: OnFinished,
  options: PeerOptions & { readonly settings?: Partial<CarrierSettings> } = {},
): Promise<{ readonly carrier: Carrier; readonly peer: CallProviderPeer; readonly publicUrl: string }> {
  const { settings = {}, provider = 'twilio', ...faults } = options
  const peer = await startCallProviderPeer({ provider, ...faults })
  onFinished(() => peer.close())
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${port}/voice`
  const carrier = CREATE[provider](peer.url, {
    name: provider,
    callerId: CALLER_ID,
    publicUrl,
    listen: { address: '127.0.0.1', port },
    ...settings,
  })
  onFinished(() => carrier.close())
  return { carrier, peer, publicUrl }
}

const CREATE: Readonly<Record<PeerProvider, (apiUrl: string, settings: CarrierSettings) => Carrier>> = {
  twilio: (apiUrl, settings) => createTwilioCarrier({ ...settings, ...PEER_ACCOUNTS.twilio, apiUrl }),
  telnyx(apiUrl, settings) {
    const { peerKey: _, ...account } = PEER_ACCOUNTS.telnyx
    return createTelnyxCarrier({ ...settings, ...account, apiUrl })
  },
  vonage(apiUrl, settings) {
    const { peerKey: _, ...account } = PEER_ACCOUNTS.vonage
    return createVonageCarrier({ ...settings, ...account, apiUrl })
  },
}

export async function makeFolder(onFinished: OnFinished): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'telephony-media-streams-'))
  onFinished(() => rm(folder, { recursive: true }))
  return folder
}
