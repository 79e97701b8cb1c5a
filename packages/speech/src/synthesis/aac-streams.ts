import { SpeechError } from '../speech-error.ts'
import { SYNTHESIS_MODEL_PROFILES, type SynthesisModel } from '../stream/models.ts'
import { type AacProcess, startAacProcess } from './aac-process.ts'
import type { RemoteStream } from './remote-file.ts'

/** Processes at a time, of 20 MB each. */
const MAX_PROCESSES = 32
/** Streams of AAC that one tenant may encode at a time, so that it takes four of them to leave no process free. */
export const MAX_AAC_STREAMS_PER_TENANT = 8

export interface AacStreamOptions {
  model: SynthesisModel
  tenant?: string | undefined
  /** Opens the stage before the encoder, which makes 16-bit samples of a peak that suits it. */
  openLimiter: () => Promise<RemoteStream>
}

/** Opens streams of AAC, each with a process of its own, and no more of them than the machine bears. */
export class AacStreams {
  readonly #program: string
  readonly #open = new Map<symbol, { tenant: string | undefined; process?: AacProcess }>()

  constructor(program = 'ffmpeg') {
    this.#program = program
  }

  /** @throws SpeechError `too_many_encoders` of the tenant are open, `engine_busy` if too many are in total, `encoder_missing` */
  async open({ model, tenant, openLimiter }: AacStreamOptions): Promise<RemoteStream> {
    const ofTenant = [...this.#open.values()].filter((one) => one.tenant === tenant).length
    if (ofTenant >= MAX_AAC_STREAMS_PER_TENANT)
      throw new SpeechError('too_many_encoders', 'Too many streams of AAC are being encoded for this tenant')
    if (this.#open.size >= MAX_PROCESSES)
      throw new SpeechError('engine_busy', 'Too many streams of AAC are being encoded')
    const place = Symbol('stream')
    this.#open.set(place, { tenant })
    try {
      const kbps = SYNTHESIS_MODEL_PROFILES[model].streamKbps.aac
      const process = await startAacProcess({ kbps, program: this.#program })
      this.#open.set(place, { tenant, process })
      const limiter = await openLimiter()
      return {
        render: async (samples) => process.encode(await limiter.render(samples)),
        async finish() {
          const last = await process.encode(await limiter.finish())
          return Buffer.concat([last, await process.finish()])
        },
        close: () => {
          limiter.close()
          this.#end(place)
        },
      }
    } catch (error) {
      this.#end(place)
      throw error
    }
  }

  /** Kills all processes. */
  close(): void {
    for (const place of this.#open.keys()) this.#end(place)
  }

  #end(place: symbol): void {
    this.#open.get(place)?.process?.close()
    this.#open.delete(place)
  }
}
