/**
 * Trains the reader of OCR-B glyphs on drawings of the font, which is in the public domain (Debian: fonts-ocr-b), and
 * writes src/mrz/ocr-b-weights.ts: `node --conditions=vaani-source scripts/train-ocr-b.ts`. It uses no other data. It is seeded,
 * so that the same font and drawing library give the same weights. Takes about two minutes.
 */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { ALPHABET, CELL_HEIGHT, CELL_SIZE, CELL_WIDTH, normalizeCell } from '../src/mrz/glyphs.ts'

const HIDDEN = 96
const STRIPS = 120
const STRIP_LENGTH = 74
const REPEATS = 5
const EPOCHS = 12
/** Width of a drawn glyph and height of a strip; the font's width is 0.7229 of its size. */
const PITCH = 60
const STRIP_HEIGHT = 130

let seed = 42
const random = () => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32
const gauss = () => Math.sqrt(-2 * Math.log(random() + 1e-9)) * Math.cos(2 * Math.PI * random())

const escape = (text: string) => text.replaceAll('<', '&lt;')
async function drawStrip(text: string): Promise<{ pixels: Buffer; width: number }> {
  const width = PITCH * (text.length + 2)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${STRIP_HEIGHT}"><rect width="100%" height="100%" fill="#fff"/><text x="${PITCH}" y="95" font-family="OCR B" font-size="${PITCH / 0.7229}">${escape(text)}</text></svg>`
  return { pixels: await sharp(Buffer.from(svg)).greyscale().raw().toBuffer(), width }
}

/**
 * Samples a glyph as in a camera picture: shifted, rotated, slanted, blurred, pale and noisy, on patterned paper, with its
 * neighbours' edges.
 */
function sample(strip: { pixels: Buffer; width: number }, index: number): Float32Array {
  const centreX = PITCH * (index + 1) + PITCH / 2 + gauss() * 3.6
  const centreY = 66 + gauss() * 3.6
  const stepX = (PITCH / CELL_WIDTH) * (1 + gauss() * 0.045)
  const stepY = (88 / CELL_HEIGHT) * (1 + gauss() * 0.06)
  const turn = gauss() * 0.035
  const slant = gauss() * 0.055
  const contrast = 0.35 + random() * 0.65
  const offset = random() * (1 - contrast)
  const noise = random() < 0.5 ? random() * 0.05 : random() * 0.16
  const print = random() < 0.4 ? random() * 0.35 : 0
  const [waveX, waveY, phase] = [gauss() * 0.07, gauss() * 0.07, random() * 6]
  const moved = random() < 0.2 ? 1 + random() * 1.5 : 1
  const radius = Math.max(1, Math.round((stepX * (0.5 + random() * 1.6)) / 2))
  const step = Math.max(1, radius >> 1)
  const cell = new Float32Array(CELL_SIZE)
  for (let y = 0; y < CELL_HEIGHT; y++)
    for (let x = 0; x < CELL_WIDTH; x++) {
      const dx = (x - (CELL_WIDTH - 1) / 2) * stepX
      const dy = (y - (CELL_HEIGHT - 1) / 2) * stepY
      const px = centreX + dx * Math.cos(turn) - dy * (Math.sin(turn) + slant)
      const py = centreY + dx * Math.sin(turn) + dy * Math.cos(turn)
      let sum = 0
      let count = 0
      for (let b = -radius; b <= radius; b += step)
        for (let a = -radius; a <= radius; a += step) {
          const [column, row] = [Math.round(px + a * moved), Math.round(py + b)]
          const inside = column >= 0 && column < strip.width && row >= 0 && row < STRIP_HEIGHT
          sum += inside ? (strip.pixels[row * strip.width + column] ?? 255) : 255
          count++
        }
      const paper = 1 - print * (0.5 + 0.5 * Math.sin(waveX * px + waveY * py + phase))
      cell[y * CELL_WIDTH + x] = (sum / count / 255) * paper * contrast + offset + gauss() * noise
    }
  return normalizeCell(cell)
}

const samples: { cell: Float32Array; character: number }[] = []
for (let strip = 0; strip < STRIPS; strip++) {
  const text = Array.from({ length: STRIP_LENGTH }, () =>
    random() < 0.12 ? '<' : (ALPHABET[Math.floor(random() * ALPHABET.length)] ?? '<'),
  ).join('')
  const drawn = await drawStrip(text)
  for (let repeat = 0; repeat < REPEATS; repeat++)
    for (let index = 0; index < text.length; index++)
      samples.push({ cell: sample(drawn, index), character: ALPHABET.indexOf(text[index] ?? '<') })
}
for (let index = samples.length - 1; index > 0; index--) {
  const other = Math.floor(random() * (index + 1))
  const [a, b] = [samples[index], samples[other]]
  if (a && b) [samples[index], samples[other]] = [b, a]
}
const held = samples.splice(0, Math.floor(samples.length / 20))

const characters = ALPHABET.length
const input = new Float32Array(HIDDEN * CELL_SIZE).map(() => gauss() * Math.sqrt(2 / CELL_SIZE))
const inputBias = new Float32Array(HIDDEN)
const output = new Float32Array(characters * HIDDEN).map(() => gauss() * Math.sqrt(2 / HIDDEN))
const outputBias = new Float32Array(characters)
const hidden = new Float32Array(HIDDEN)
const likely = new Float32Array(characters)

function forward(cell: Float32Array): void {
  for (let unit = 0; unit < HIDDEN; unit++) {
    let sum = inputBias[unit] ?? 0
    const row = unit * CELL_SIZE
    for (let index = 0; index < CELL_SIZE; index++) sum += (input[row + index] ?? 0) * (cell[index] ?? 0)
    hidden[unit] = Math.max(0, sum)
  }
  for (let character = 0; character < characters; character++) {
    let sum = outputBias[character] ?? 0
    for (let unit = 0; unit < HIDDEN; unit++)
      sum += (output[character * HIDDEN + unit] ?? 0) * (hidden[unit] ?? 0)
    likely[character] = sum
  }
  const highest = Math.max(...likely)
  let total = 0
  for (let character = 0; character < characters; character++)
    total += likely[character] = Math.exp((likely[character] ?? 0) - highest)
  for (let character = 0; character < characters; character++)
    likely[character] = (likely[character] ?? 0) / total
}

for (let epoch = 0; epoch < EPOCHS; epoch++) {
  const rate = 0.006 * 0.7 ** epoch
  const hiddenError = new Float32Array(HIDDEN)
  for (const { cell, character: right } of samples) {
    forward(cell)
    hiddenError.fill(0)
    for (let character = 0; character < characters; character++) {
      const error = (likely[character] ?? 0) - (character === right ? 1 : 0)
      if (Math.abs(error) < 1e-5) continue
      for (let unit = 0; unit < HIDDEN; unit++) {
        const at = character * HIDDEN + unit
        hiddenError[unit] = (hiddenError[unit] ?? 0) + error * (output[at] ?? 0)
        output[at] = (output[at] ?? 0) - rate * error * (hidden[unit] ?? 0)
      }
      outputBias[character] = (outputBias[character] ?? 0) - rate * error
    }
    for (let unit = 0; unit < HIDDEN; unit++) {
      if ((hidden[unit] ?? 0) <= 0) continue
      const error = hiddenError[unit] ?? 0
      const row = unit * CELL_SIZE
      for (let index = 0; index < CELL_SIZE; index++) {
        const weight = input[row + index] ?? 0
        input[row + index] = weight - rate * (error * (cell[index] ?? 0) + 1e-5 * weight)
      }
      inputBias[unit] = (inputBias[unit] ?? 0) - rate * error
    }
  }
  const right = held.filter(({ cell, character }) => {
    forward(cell)
    return likely.indexOf(Math.max(...likely)) === character
  })
  process.stdout.write(
    `epoch ${epoch + 1}: ${((100 * right.length) / held.length).toFixed(2)} % of ${held.length} glyphs held out\n`,
  )
}

function compress(weights: Float32Array): { scale: number; base64: string } {
  const scale = weights.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 127
  const bytes = Int8Array.from(weights, (value) => Math.round(value / scale))
  return { scale, base64: Buffer.from(bytes.buffer).toString('base64') }
}
const [first, second] = [compress(input), compress(output)]
const round = (bias: Float32Array) => JSON.stringify([...bias].map((value) => Math.round(value * 1e5) / 1e5))
const file = path.resolve(import.meta.dirname, '../src/mrz/ocr-b-weights.ts')
await writeFile(
  file,
  `// Written by scripts/train-ocr-b.ts from the font OCR-B.
import type { GlyphWeights } from './glyph-weights.ts'

// oxfmt-ignore
export const OCR_B_WEIGHTS: GlyphWeights = {
  hidden: ${HIDDEN},
  inputScale: ${first.scale},
  input: '${first.base64}',
  inputBias: ${round(inputBias)},
  outputScale: ${second.scale},
  output: '${second.base64}',
  outputBias: ${round(outputBias)},
}
`,
)
