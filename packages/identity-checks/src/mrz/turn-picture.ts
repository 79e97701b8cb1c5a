import type { GreyImage } from '../image/open-image.ts'
import { sampleAt } from './read-line.ts'

export function tiltBy(image: GreyImage, degrees: number): GreyImage {
  const { width, height } = image
  const tilted = new Uint8Array(width * height)
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const dx = x - width / 2
      const dy = y - height / 2
      tilted[y * width + x] = sampleAt(
        image,
        width / 2 + dx * cos - dy * sin,
        height / 2 + dx * sin + dy * cos,
      )
    }
  return { data: tilted, width, height }
}

/** Scales down by averaging. */
export function shrink({ data, width, height }: GreyImage, scale: number): GreyImage {
  const [small, low] = [Math.round(width / scale), Math.round(height / scale)]
  const shrunk = new Uint8Array(small * low)
  for (let y = 0; y < low; y++) {
    const top = Math.floor(y * scale)
    const bottom = Math.min(height, Math.max(top + 1, Math.floor((y + 1) * scale)))
    for (let x = 0; x < small; x++) {
      const left = Math.floor(x * scale)
      const right = Math.min(width, Math.max(left + 1, Math.floor((x + 1) * scale)))
      let sum = 0
      for (let row = top; row < bottom; row++)
        for (let column = left; column < right; column++) sum += data[row * width + column] ?? 0
      shrunk[y * small + x] = sum / Math.max(1, (bottom - top) * (right - left))
    }
  }
  return { data: shrunk, width: small, height: low }
}
