import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { encodeWav } from '@vaani/pcm-audio'
import { freePort } from './free-port.ts'
import type { OnFinished } from './softphone-line.ts'

/** Where Debian keeps its modules. */
const MODULES = '/usr/lib/baresip/modules'
const HOST = '127.0.0.1'
/** Longer than any test talks: when its file ends, baresip ends the call. */
const SOURCE_SECONDS = 30

/** The codecs that it may be started with. It converts no rates, so its tone has the codec's. */
const CODECS = {
  PCMU: { name: 'pcmu', rateHz: 8000, channels: 1 },
  opus: { name: 'opus', rateHz: 48_000, channels: 2 },
}

const config = (port: number, source: string, srtp: boolean) => `
sip_listen ${HOST}:${port}
net_interface ${HOST}
audio_source aufile,${source}
audio_player aufile,${source}.played
audio_alert aufile,${source}
module_path ${MODULES}
module g711.so
module opus.so
module aufile.so
module sndfile.so
${srtp ? 'module srtp.so' : ''}
module_tmp account.so
module_app menu.so
`

/** A phone of other authors, which answers at once and says a tone of 440 Hz. */
export interface Baresip {
  readonly host: string
  readonly port: number
  /** Ends it, and returns the WAV file of what it heard. */
  stop(): Promise<Uint8Array>
}

/**
 * Starts baresip in an empty folder, for one number.
 *
 * @param options.srtp takes calls with SRTP only
 * @param options.codec the only one that it takes; μ-law by default
 */
export async function startBaresip(
  onFinished: OnFinished,
  folder: string,
  number: string,
  { srtp = false, codec = 'PCMU' }: { readonly srtp?: boolean; readonly codec?: keyof typeof CODECS } = {},
): Promise<Baresip> {
  const port = await freePort()
  const { name, rateHz, channels } = CODECS[codec]
  const tone = Int16Array.from({ length: rateHz * SOURCE_SECONDS * channels }, (_, index) =>
    Math.round(8000 * Math.sin((2 * Math.PI * 440 * Math.floor(index / channels)) / rateHz)),
  )
  const source = join(folder, 'tone.wav')
  await writeFile(source, encodeWav(tone, { sampleRateHz: rateHz, channels }))
  await writeFile(join(folder, 'config'), config(port, source, srtp))
  const account = `<sip:${number}@${HOST}:${port};transport=udp>;regint=0;answermode=auto;audio_codecs=${name}/${rateHz}/${channels}${srtp ? ';mediaenc=srtp-mand' : ''}`
  await writeFile(join(folder, 'accounts'), `${account}\n`)
  // It records into its working directory.
  const child = spawn('baresip', ['-f', folder], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] })
  const exited = once(child, 'exit')
  onFinished(async () => void child.kill())
  for await (const line of createInterface(child.stdout)) if (line.includes('baresip is ready')) break
  child.stdout.resume()
  return {
    host: HOST,
    port,
    async stop() {
      child.kill('SIGTERM')
      await exited
      const recorded = (await readdir(folder)).find((file) => file.endsWith('-dec.wav'))
      return readFile(join(folder, recorded ?? 'nothing was recorded'))
    },
  }
}
