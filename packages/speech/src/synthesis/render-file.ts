import { createFloatResampler, createLoudnessMeter, int16ToFloat32 } from '@vaani/pcm-audio'
import { createFloatWatermarker, type Watermark } from '../watermark/embed.ts'
import { MARK_GAIN_DB } from '../watermark/frame-marker.ts'
import { createFileEncoder, type FileEncoder, fileBytes } from './file-encoder.ts'
import {
  ENCODER_GAIN_DB,
  type FileFormat,
  type FileSampleRateHz,
  SYNTHESIS_MODEL_PROFILES,
  type SynthesisModel,
  TRUE_PEAK_DBTP,
} from '../stream/models.ts'
import { joinStages, type SampleStage } from './sample-stage.ts'
import { createTruePeakLimiter } from './true-peak-limiter.ts'

export interface RenderSettings {
  /** Rate of the samples that are pushed. */
  engineSampleRateHz: number
  model: SynthesisModel
  format: FileFormat
  sampleRateHz: FileSampleRateHz
  /** Integrated loudness of the file. */
  lufs: number
  /** Without it, the file is not marked. */
  watermark?: Watermark | undefined
}

/** What is known of a file before its first byte. */
export interface MeasuredFile {
  durationSeconds: number
  /** Undefined if only the encoding shows it. */
  bytes: number | undefined
}

/**
 * Renders speech to a file in two passes over the same samples, because its length is sent before it, and one gain for the
 * whole of it changes no dynamics. Neither pass keeps samples: the memory does not depend on the length.
 */
export interface FileRenderer {
  /** First pass: takes samples of the engine. */
  measure(samples: Int16Array): void
  /** Ends the first pass. */
  measured(): Promise<MeasuredFile>
  /** Second pass: takes samples of the engine and returns the bytes that are ready. */
  render(samples: Int16Array): Uint8Array<ArrayBuffer>
  /**
   * Ends the second pass and returns the rest of the file.
   *
   * @throws Error if the passes differed in length: the engine did not give the same samples again
   */
  finish(): Uint8Array<ArrayBuffer>
  /** Releases the encoder. Idempotent. */
  close(): void
}

/** BS.1770 has no loudness for less than one block. Shorter speech is measured with silence after it. */
const LOUDNESS_BLOCK_SECONDS = 0.4
/** Noise is not raised to the level of speech. */
const MAX_GAIN_DB = 20

export function createFileRenderer(settings: RenderSettings): FileRenderer {
  const { engineSampleRateHz, model, format, sampleRateHz, lufs, watermark } = settings
  const { bandSampleRateHz, resampler: profile } = SYNTHESIS_MODEL_PROFILES[model]
  const bandHz = Math.min(bandSampleRateHz ?? engineSampleRateHz, engineSampleRateHz)
  const toBand = () => createFloatResampler({ fromHz: engineSampleRateHz, toHz: bandHz, profile })
  const toFile = () => createFloatResampler({ fromHz: bandHz, toHz: sampleRateHz, profile })

  const band = toBand()
  const meter = createLoudnessMeter({ sampleRateHz: bandHz, channels: 1 })
  let bandSamples = 0
  /** Samples of the file that are not rendered yet. */
  let samples = 0
  let second: { stages: SampleStage; encoder: FileEncoder } | undefined

  function take(output: Float32Array): void {
    bandSamples += output.length
    meter.push(output)
  }
  function loudness(): number {
    const { integratedLufs } = meter.measured()
    if (integratedLufs > Number.NEGATIVE_INFINITY) return integratedLufs
    meter.push(new Float32Array(Math.ceil(LOUDNESS_BLOCK_SECONDS * bandHz)))
    return meter.measured().integratedLufs
  }
  function secondPass() {
    if (second === undefined) throw new Error('Measure the whole speech before rendering it')
    return second
  }
  function encode(encoder: FileEncoder, output: Float32Array): Uint8Array<ArrayBuffer> {
    samples -= output.length
    return encoder.push(output)
  }
  return {
    measure: (chunk) => take(band.push(int16ToFloat32(chunk))),
    async measured() {
      take(band.flush())
      samples = Math.round((bandSamples * sampleRateHz) / bandHz)
      const measuredLufs = loudness()
      const levelDb = measuredLufs > Number.NEGATIVE_INFINITY ? Math.min(MAX_GAIN_DB, lufs - measuredLufs) : 0
      const lossDb = ENCODER_GAIN_DB[format]
      const stages = joinStages([
        toBand(),
        // In the band, because marking costs less there than at the rate of the file, and before the limiter, because it
        // raises peaks.
        ...(watermark ? [createFloatWatermarker({ ...watermark, sampleRateHz: bandHz })] : []),
        toFile(),
        createTruePeakLimiter({
          sampleRateHz,
          gainDb: levelDb - lossDb - (watermark ? MARK_GAIN_DB : 0),
          ceilingDbtp: TRUE_PEAK_DBTP[format] - lossDb,
        }),
      ])
      second = { stages, encoder: await createFileEncoder({ format, sampleRateHz, model, samples }) }
      return {
        durationSeconds: samples / sampleRateHz,
        bytes: fileBytes({ format, sampleRateHz, samples }),
      }
    },
    render(chunk) {
      const { stages, encoder } = secondPass()
      return encode(encoder, stages.push(int16ToFloat32(chunk)))
    },
    finish() {
      const { stages, encoder } = secondPass()
      const head = encode(encoder, stages.flush())
      if (samples !== 0) throw new Error('The engine gave other samples for the same speech')
      const tail = encoder.finish()
      const rest = new Uint8Array(head.length + tail.length)
      rest.set(head)
      rest.set(tail, head.length)
      return rest
    },
    close() {
      second?.encoder.release()
      second = undefined
    },
  }
}
