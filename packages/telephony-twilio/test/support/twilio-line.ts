import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Carrier } from '@vaani/telephony'
import { createTwilioCarrier } from '../../src/line/twilio-carrier.ts'
import { freePort } from './free-port.ts'
import { type PeerOptions, startTwilioPeer, type TwilioPeer } from './twilio-peer.ts'

/** Runs an action after a test. */
export type OnFinished = (cleanUp: () => Promise<void>) => void

export const CALLER_ID = '+9779800000001'

/** Opens a carrier whose provider is a peer on this machine. */
export async function openTwilioLine(
  onFinished: OnFinished,
  options: PeerOptions = {},
): Promise<{ readonly carrier: Carrier; readonly peer: TwilioPeer; readonly publicUrl: string }> {
  const peer = await startTwilioPeer(options)
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
  })
  onFinished(() => carrier.close())
  return { carrier, peer, publicUrl }
}

export async function makeFolder(onFinished: OnFinished): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'telephony-twilio-'))
  onFinished(() => rm(folder, { recursive: true }))
  return folder
}
