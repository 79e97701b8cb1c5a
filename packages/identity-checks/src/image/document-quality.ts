import { type CheckResult, toScore } from '../check.ts'
import { type GreyImage, type OpenedImage, readGrey } from './open-image.ts'

const MODEL = 'document-quality/1'
const SIDE = 1000
/** Set on generated specimens at 1000 pixels: sharp ones have 0.08 to 0.15, those blurred by 3 pixels at most 0.03. */
const SHARPNESS = { poor: 0.03, good: 0.07 }
/** Share of burnt-out pixels in the worst tile. */
const GLARE = { poor: 0.6, good: 0.25 }
const LUMA = { dark: 45, bright: 235 }
/** Pixels of the shorter side. Below `poor`, the small print of a card is illegible. */
const SHORT_SIDE = { poor: 400, good: 600 }
const TILES = 8
/** Variance of luma below which a tile shows nothing. */
const MIN_CONTRAST = 60
const BURNT_OUT = 252

/** Grades a value from poor (0) to good (1). */
const grade = (value: number, { poor, good }: { poor: number; good: number }): number =>
  Math.min(1, Math.max(0, (value - poor) / (good - poor)))

/**
 * Checks sharpness, glare, exposure and size of a document's picture, and reports the worst of them.
 *
 * @param options.isLegible whether its machine-readable zone was read with certainty. Then its exposure is right, as that of a scan on white
 *   paper, whose mean is as bright as that of an overexposed picture.
 */
export async function checkDocumentQuality(
  image: OpenedImage,
  { isLegible = false }: { isLegible?: boolean } = {},
): Promise<CheckResult> {
  const grey = await readGrey(image, SIDE)
  const sharpness = measureSharpness(grey)
  const glare = measureGlare(grey)
  const luma = grey.data.reduce((sum, value) => sum + value, 0) / grey.data.length
  const shortSide = Math.min(image.width, image.height)
  const grades = [
    { code: 'image_blurred', value: grade(sharpness, SHARPNESS) },
    { code: 'image_glare', value: grade(glare, GLARE) },
    { code: 'image_too_dark', value: !isLegible && luma < LUMA.dark ? 0 : 1 },
    { code: 'image_too_bright', value: !isLegible && luma > LUMA.bright ? 0 : 1 },
    { code: 'image_too_small', value: grade(shortSide, SHORT_SIDE) },
  ]
  const worst = grades.reduce((a, b) => (b.value < a.value ? b : a))
  return {
    check: 'document_quality',
    outcome: worst.value === 0 ? 'failed' : worst.value < 0.5 ? 'warning' : 'passed',
    code: worst.value < 0.5 ? worst.code : 'quality_good',
    score: toScore(worst.value),
    evidence: {
      sharpness: round(sharpness),
      sharpness_min: SHARPNESS.poor,
      glare: round(glare),
      glare_max: GLARE.poor,
      luma: round(luma),
      short_side_pixels: shortSide,
    },
    model: MODEL,
  }
}

const round = (value: number): number => Math.round(value * 1000) / 1000

/**
 * Measures sharpness as the energy of the Laplacian (Pech-Pacheco et al., Diatom autofocusing in brightfield microscopy,
 * 2000). It is relative to the contrast, so that a dark picture is not taken for a blurred one. It is that of the sharper
 * tiles among those with content, because a document has empty parts. A mean over 3 by 3 pixels comes first, because camera
 * noise would otherwise pass for sharpness.
 */
function measureSharpness({ data, width, height }: GreyImage): number {
  const smooth = new Float32Array(width * height)
  for (let y = 1; y < height - 1; y++)
    for (let x = 1; x < width - 1; x++) {
      let sum = 0
      for (let dy = -1; dy <= 1; dy++)
        for (let dx = -1; dx <= 1; dx++) sum += data[(y + dy) * width + x + dx] ?? 0
      smooth[y * width + x] = sum / 9
    }
  const at = (index: number) => smooth[index] ?? 0
  const tiles = Array.from({ length: TILES * TILES }, () => ({ count: 0, luma: 0, lumaSquares: 0, edges: 0 }))
  for (let y = 2; y < height - 2; y++)
    for (let x = 2; x < width - 2; x++) {
      const index = y * width + x
      const tile = tiles[Math.floor((y * TILES) / height) * TILES + Math.floor((x * TILES) / width)]
      if (tile === undefined) continue
      const laplacian = 4 * at(index) - at(index - 1) - at(index + 1) - at(index - width) - at(index + width)
      tile.count++
      tile.luma += at(index)
      tile.lumaSquares += at(index) ** 2
      tile.edges += laplacian ** 2
    }
  const sharpness = tiles
    .map(({ count, luma, lumaSquares, edges }) => ({
      contrast: lumaSquares / count - (luma / count) ** 2,
      edges: edges / count,
    }))
    .filter(({ contrast }) => contrast > MIN_CONTRAST)
    .map(({ contrast, edges }) => edges / contrast)
    .toSorted((a, b) => a - b)
  return sharpness[Math.floor(sharpness.length * 0.75)] ?? 0
}

/** Measures the share of burnt-out pixels in the worst tile, minus the median share of all tiles. */
function measureGlare({ data, width, height }: GreyImage): number {
  const burnt = new Float32Array(TILES * TILES)
  const sizes = new Float32Array(TILES * TILES)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const tile = Math.floor((y * TILES) / height) * TILES + Math.floor((x * TILES) / width)
      sizes[tile] = (sizes[tile] ?? 0) + 1
      if ((data[y * width + x] ?? 0) >= BURNT_OUT) burnt[tile] = (burnt[tile] ?? 0) + 1
    }
  const shares = [...burnt].map((count, tile) => count / (sizes[tile] || 1))
  const median = shares.toSorted((a, b) => a - b)[shares.length >> 1] ?? 0
  return Math.max(0, Math.max(...shares) - median)
}
