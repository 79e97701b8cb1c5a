import type { GreyImage } from '../../image/open-image.ts'
import type { TextStrip } from './text-strip.ts'

/** Cuts a line out of a picture, level and of a height, by bilinear interpolation. */
export function cutStrip({ data, width, height }: GreyImage, strip: TextStrip, tall: number): GreyImage {
  const scale = strip.height / tall
  const long = Math.max(tall, Math.round(strip.length / scale))
  const [cos, sin] = [Math.cos(strip.angle), Math.sin(strip.angle)]
  const cut = new Uint8Array(long * tall)
  const pixel = (x: number, y: number) =>
    data[Math.min(height - 1, Math.max(0, y)) * width + Math.min(width - 1, Math.max(0, x))] ?? 0
  for (let row = 0; row < tall; row++)
    for (let column = 0; column < long; column++) {
      const right = ((column + 0.5) / long - 0.5) * strip.length
      const down = ((row + 0.5) / tall - 0.5) * strip.height
      const x = strip.center.x + right * cos - down * sin - 0.5
      const y = strip.center.y + right * sin + down * cos - 0.5
      const [left, top] = [Math.floor(x), Math.floor(y)]
      const [dx, dy] = [x - left, y - top]
      cut[row * long + column] =
        (pixel(left, top) * (1 - dx) + pixel(left + 1, top) * dx) * (1 - dy) +
        (pixel(left, top + 1) * (1 - dx) + pixel(left + 1, top + 1) * dx) * dy
    }
  return { data: cut, width: long, height: tall }
}
