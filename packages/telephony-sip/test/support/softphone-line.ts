import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeWav } from '@vaani/pcm-audio'
import type { Carrier } from '@vaani/telephony'
import type { Trunk } from '../../src/agent/user-agent.ts'
import { createSipCarrier, type SipCarrierOptions } from '../../src/line/sip-carrier.ts'
import { createSoftphone, type SoftphoneOptions } from '../../src/softphone/create-softphone.ts'

/** Runs an action after a test. */
export type OnFinished = (cleanUp: () => Promise<void>) => void

/** Opens a softphone, and a carrier for which it is the trunk. */
export async function openSoftphoneLine(
  onFinished: OnFinished,
  options: SoftphoneOptions & Pick<Trunk, 'srtp'> = {},
): Promise<Carrier> {
  const { srtp = 'off', ...phoneOptions } = options
  const phone = await createSoftphone({ ringMs: 200, codecs: ['PCMU'], ...phoneOptions })
  onFinished(() => phone.close())
  return openCarrier(onFinished, { trunk: { ...phone.trunk, srtp } })
}

/** Opens a carrier. */
export function openCarrier(onFinished: OnFinished, options: Omit<SipCarrierOptions, 'name'>): Carrier {
  const carrier = createSipCarrier({ name: 'simulator', ...options })
  onFinished(() => carrier.close())
  return carrier
}

export async function makeFolder(onFinished: OnFinished): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'telephony-sip-'))
  onFinished(() => rm(folder, { recursive: true }))
  return folder
}

/** Reads the samples of a recorded WAV file. */
export const samplesOf = async (path: string): Promise<Int16Array> => decodeWav(await readFile(path)).samples
