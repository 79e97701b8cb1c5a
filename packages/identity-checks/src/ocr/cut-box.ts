import type { GreyImage } from '../image/open-image.ts'
import type { TextBox } from './layout.ts'

/** Cuts a box out of a picture, as far as it is within. A box outside gives white pixels. */
export function cutBox({ data, width, height }: GreyImage, box: TextBox): GreyImage {
  const [left, top] = [Math.max(0, box.x), Math.max(0, box.y)]
  const [right, bottom] = [Math.min(width, box.x + box.width), Math.min(height, box.y + box.height)]
  const cut = { width: Math.max(1, right - left), height: Math.max(1, bottom - top) }
  const pixels = new Uint8Array(cut.width * cut.height).fill(255)
  for (let row = 0; row < cut.height && top + row < bottom; row++) {
    const start = (top + row) * width + left
    pixels.set(data.subarray(start, start + Math.max(0, right - left)), row * cut.width)
  }
  return { data: pixels, ...cut }
}
