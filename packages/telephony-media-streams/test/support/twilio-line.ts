import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Carrier } from '@vaani/telephony'
import {
  type CallProviderPeer,
  type PeerOptions,
  startCallProviderPeer,
} from '@vaani/test-services/call-provider'
import { createTwilioCarrier, type TwilioCarrierOptions } from '../../src/line/twilio-carrier.ts'
import { freePort } from './free-port.ts'

/** Runs an action after a test. */
export type OnFinished = (cleanUp: () => Promise<void>) => void

export const CALLER_ID = '+9779800000001'

/** Opens a carrier whose provider is a peer on this machine. */
export async function openTwilioLine(
  onFinished: OnFinished,
  options: PeerOptions = {},
  changes: Partial<TwilioCarrierOptions> = {},
): Promise<{ readonly carrier: Carrier; readonly peer: CallProviderPeer; readonly publicUrl: string }> {
  const peer = await startCallProviderPeer(options)
  onFinished(() => peer.close())
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${port}/voice`
  const carrier = createTwilioCarrier({
    name: 'twilio',
    accountSid: peer.accountSid,
    authToken: peer.authToken,
    apiUrl: peer.url,
    callerId: CALLER_ID,
    publicUrl,
    listen: { address: '127.0.0.1', port },
    ...changes,
  })
  onFinished(() => carrier.close())
  return { carrier, peer, publicUrl }
}

export async function makeFolder(onFinished: OnFinished): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'telephony-media-streams-'))
  onFinished(() => rm(folder, { recursive: true }))
  return folder
}
