/**
 * Learns the directions in which speakers differ and one speaker hardly varies, and writes src/cloning/speaker-axes.ts:
 * `node --conditions=vaani-source scripts/learn-speaker-axes.ts FOLDER`. The folder has a folder for each speaker, whose first
 * recording is used. It is linear discriminant analysis (Fisher 1936): W is the covariance of a speaker's stretches about their
 * mean, B that of the means, less the part of it that stems from W; the axes are the first eigenvectors of W⁻¹B, scaled so that W is 1
 * along each. What is committed was learned from LibriSpeech (openslr.org/12, CC BY 4.0), as resemble-ai/Resemblyzer has it in `audio_data`: every
 * second recording of `librispeech_train-clean-100`, which has one of each reader, and every second reader of `librispeech_test-other`.
 */
import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { BANDWIDTHS } from '../src/cloning/cepstra.ts'
import { FEATURES, spokenIn, type Stretch } from '../src/cloning/speaker-features.ts'
import { ANALYSIS_RATE_HZ, trackVoice } from '../src/cloning/track-voice.ts'
import { decodeAudio } from '../src/decode-audio/index.ts'

const AXES = 6
/** Of the mean variance, added to each, so that W can be inverted whatever is in the folder. */
const RIDGE = 1e-4
const JACOBI_ROUNDS = 12

type Matrix = number[][]
const square = (valueAt: (row: number, column: number) => number): Matrix =>
  Array.from({ length: FEATURES }, (_, row) =>
    Array.from({ length: FEATURES }, (__, column) => valueAt(row, column)),
  )
const at = (matrix: Matrix, row: number, column: number) => matrix[row]?.[column] ?? 0
const product = (one: Matrix, other: Matrix) =>
  square((row, column) => one.reduce((sum, _, k) => sum + at(one, row, k) * at(other, k, column), 0))
const meanOf = (rows: readonly (readonly number[])[]) =>
  Array.from(
    { length: FEATURES },
    (_, index) => rows.reduce((sum, row) => sum + (row[index] ?? 0), 0) / rows.length,
  )
const scatterOf = (rows: readonly (readonly number[])[]) => {
  const mean = meanOf(rows)
  const off = rows.map((row) => row.map((value, index) => value - (mean[index] ?? 0)))
  return square((row, column) => off.reduce((sum, one) => sum + (one[row] ?? 0) * (one[column] ?? 0), 0))
}

/** Inverse of the lower triangle L with LLᵀ = M. */
function inverseRoot(matrix: Matrix): Matrix {
  const lower = square(() => 0)
  const inverse = square(() => 0)
  for (let row = 0; row < FEATURES; row++)
    for (let column = 0; column <= row; column++) {
      let sum = at(matrix, row, column)
      for (let k = 0; k < column; k++) sum -= at(lower, row, k) * at(lower, column, k)
      const line = lower[row]
      if (line) line[column] = row === column ? Math.sqrt(sum) : sum / at(lower, column, column)
    }
  for (let column = 0; column < FEATURES; column++)
    for (let row = column; row < FEATURES; row++) {
      let sum = row === column ? 1 : 0
      for (let k = column; k < row; k++) sum -= at(lower, row, k) * at(inverse, k, column)
      const line = inverse[row]
      if (line) line[column] = sum / at(lower, row, row)
    }
  return inverse
}

/** Eigenvalues and eigenvectors (as columns) of a symmetric matrix, by Jacobi's rotations. */
function eigenOf(given: Matrix): { values: number[]; vectors: Matrix } {
  let matrix = given
  let vectors = square((row, column) => (row === column ? 1 : 0))
  for (let round = 0; round < JACOBI_ROUNDS; round++)
    for (let p = 0; p < FEATURES; p++)
      for (let q = p + 1; q < FEATURES; q++) {
        const angle = 0.5 * Math.atan2(2 * at(matrix, p, q), at(matrix, q, q) - at(matrix, p, p))
        const [cosine, sine] = [Math.cos(angle), Math.sin(angle)]
        const turn = square((row, column) => {
          if (row === column) return row === p || row === q ? cosine : 1
          if (row === p && column === q) return sine
          return row === q && column === p ? -sine : 0
        })
        const turned = square((row, column) => at(turn, column, row))
        matrix = product(turned, product(matrix, turn))
        vectors = product(vectors, turn)
      }
  return { values: matrix.map((row, index) => row[index] ?? 0), vectors }
}

interface Learned {
  axes: number[][]
  ratios: number[]
}

/** @param speakers the features of each stretch of each speaker */
function learn(speakers: readonly (readonly (readonly number[])[])[]): Learned {
  const count = speakers.reduce((sum, rows) => sum + rows.length - 1, 0)
  const scatters = speakers.map(scatterOf)
  const within = square((row, column) => scatters.reduce((sum, one) => sum + at(one, row, column), 0) / count)
  const ridge = (RIDGE * within.reduce((sum, row, index) => sum + (row[index] ?? 0), 0)) / FEATURES
  const widened = square((row, column) => at(within, row, column) + (row === column ? ridge : 0))
  const scatter = scatterOf(speakers.map(meanOf))
  const each = count / speakers.length + 1
  const between = square(
    (row, column) => at(scatter, row, column) / (speakers.length - 1) - at(within, row, column) / each,
  )
  const inverse = inverseRoot(widened)
  const transposed = square((row, column) => at(inverse, column, row))
  const { values, vectors } = eigenOf(product(inverse, product(between, transposed)))
  const order = [...values.keys()].toSorted((one, other) => (values[other] ?? 0) - (values[one] ?? 0))
  const scaled = product(transposed, vectors)
  return {
    axes: order.slice(0, AXES).map((column) => scaled.map((row) => Number((row[column] ?? 0).toFixed(4)))),
    ratios: order.slice(0, 10).map((column) => values[column] ?? 0),
  }
}

const [folder = '.'] = process.argv.slice(2)
const speakers: (readonly Stretch[])[] = []
for (const speaker of (await readdir(folder)).toSorted()) {
  const [first] = (await readdir(path.join(folder, speaker))).toSorted()
  if (first === undefined) continue
  const wanted = { sampleRateHz: ANALYSIS_RATE_HZ, maxSeconds: 60 }
  const samples = await decodeAudio({ file: path.join(folder, speaker, first) }, wanted)
  const { stretches } = spokenIn(samples, trackVoice(samples))
  if (stretches.length >= 3) speakers.push(stretches)
}
const members = BANDWIDTHS.map((bandwidth) => {
  const { axes, ratios } = learn(
    speakers.map((stretches) => stretches.map(({ features }) => features[bandwidth])),
  )
  const said = ratios.map((ratio) => ratio.toFixed(2)).join(' ')
  process.stdout.write(`${bandwidth}: ${speakers.length} speakers, variance between to within: ${said}\n`)
  return `  ${bandwidth}: [\n${axes.map((axis) => `    [${axis.join(', ')}],\n`).join('')}  ],\n`
})
await writeFile(
  path.join(import.meta.dirname, '../src/cloning/speaker-axes.ts'),
  `// Written by scripts/learn-speaker-axes.ts from recordings of ${speakers.length} readers of LibriSpeech (CC BY 4.0).
import type { Bandwidth } from './cepstra.ts'

/** The directions of the space of speakers: weights of the features of a stretch. */
// oxfmt-ignore
export const SPEAKER_AXES: Readonly<Record<Bandwidth, readonly (readonly number[])[]>> = {
${members.join('')}}
`,
)
