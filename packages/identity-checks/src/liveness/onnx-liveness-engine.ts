import path from 'node:path'
import { EngineError } from '../engine/engine-error.ts'
import { livenessManifest, readManifest } from '../onnx/manifest.ts'
import { openOnnxModel } from '../onnx/onnx-model.ts'
import { requireScore } from '../score.ts'
import type { LivenessEngine } from './liveness-engine.ts'

/**
 * Creates a liveness engine from an ONNX model of the operator that judges one frame. A JSON manifest describes it. The score
 * of a video is the median over its frames. It is only as good as the model, so measure it on your own traffic.
 *
 * @param options.manifest path of the manifest; the path of the weights is relative to it
 * @param options.directory directory where `onnxruntime-node` is installed; by default that of the process
 * @throws EngineError
 */
export async function createOnnxLivenessEngine(options: {
  manifest: string
  directory?: string | undefined
}): Promise<LivenessEngine> {
  const { name, version, model, thresholds } = await readManifest(options.manifest, livenessManifest)
  const opened = await openOnnxModel(model, {
    manifestDirectory: path.dirname(options.manifest),
    directory: options.directory,
  })
  return {
    async judge(frames) {
      const scores: number[] = []
      for (const { picture } of frames) {
        const [values = new Float32Array(0)] = await opened.run(picture, [model.output ?? null])
        const score = model.softmax ? softmax(values)[model.index] : values[model.index]
        if (score === undefined) throw new EngineError('manifest_invalid', 'The output has no such index')
        scores.push(requireScore(score, name))
      }
      const score = scores.toSorted((a, b) => a - b)[scores.length >> 1] ?? null
      return { model: `${name}/${version}+${opened.digest}`, score, thresholds }
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  }
}

function softmax(values: Float32Array): Float32Array {
  const most = Math.max(...values)
  const powers = values.map((value) => Math.exp(value - most))
  const sum = powers.reduce((total, power) => total + power, 0)
  return powers.map((power) => power / sum)
}
