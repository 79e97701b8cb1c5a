import sharp from 'sharp'
import type { RgbPicture } from '../src/image/rgb-picture.ts'

/** Lengths are in units of a head of 340 by 440. */
export interface DrawnFace {
  skin: string
  neck: string
  nose: string
  hair: string
  lips: string
  /** Half the distance between the eyes. */
  eyes: number
  /** Half the width and half the height of the face. */
  width: number
  height: number
  mouth: number
  brows: number
  /** Sideways offset of the gaze. */
  gaze?: number
  /** Distance of the lips. */
  open?: number
}

/** Persons who do not exist. The specimens of documents show the first. */
export const ANNA: DrawnFace = {
  skin: '#e3b696',
  neck: '#d9a98a',
  nose: '#c08f70',
  hair: '#4a3426',
  lips: '#a5584b',
  eyes: 34,
  width: 88,
  height: 112,
  mouth: 268,
  brows: 6,
}
export const OTHER: DrawnFace = {
  skin: '#8d5a3a',
  neck: '#5f3a24',
  nose: '#5f3a24',
  hair: '#e0c070',
  lips: '#b5584b',
  eyes: 46,
  width: 85,
  height: 111,
  mouth: 255,
  brows: 6,
}

/** Draws head and shoulders before a wall, as an SVG in a place of another. */
export function drawHead(
  { skin, neck, nose, hair, lips, eyes, width, height, mouth, brows, gaze = 0, open = 0 }: DrawnFace,
  place: { x: number; y: number; width: number; height: number },
): string {
  const [left, right] = [170 - width, 170 + width]
  const eye = (x: number) => `
    <ellipse cx="${x}" cy="192" rx="13" ry="8" fill="#fff"/><circle cx="${x + gaze}" cy="192" r="6" fill="#3a2a20"/>
    <path d="M${x - 18} 172 q18 -10 36 0" stroke="${hair}" stroke-width="${brows}" fill="none"/>`
  const mouthOf = () =>
    open === 0
      ? `<path d="M138 ${mouth} q32 18 64 0" stroke="${lips}" stroke-width="8" fill="none"/>`
      : `<path d="M138 ${mouth} q32 -8 64 0 q-32 ${18 + 2 * open} -64 0" stroke="${lips}" stroke-width="8" fill="#2a1512"/>`
  return `
  <svg x="${place.x}" y="${place.y}" width="${place.width}" height="${place.height}" viewBox="0 0 340 440">
    <rect width="340" height="440" fill="#c9d3dd"/>
    <ellipse cx="170" cy="430" rx="150" ry="110" fill="#3b5067"/>
    <rect x="135" y="270" width="70" height="70" fill="${neck}"/>
    <ellipse cx="170" cy="200" rx="${width}" ry="${height}" fill="${skin}"/>
    <path d="M${left - 4} 190 Q90 70 170 72 Q250 70 ${right + 4} 190 Q240 120 170 118 Q100 120 ${left - 4} 190" fill="${hair}"/>
    ${eye(170 - eyes)}${eye(170 + eyes)}
    <path d="M170 196 l-10 48 h22" stroke="${nose}" stroke-width="5" fill="none"/>
    ${mouthOf()}
  </svg>`
}

/** Draws a picture of people side by side before a wall, the first the largest, or of the wall alone. */
export async function drawPicture(...faces: readonly DrawnFace[]): Promise<RgbPicture> {
  const size = 960
  const people = faces.map((face, index) => {
    const scale = faces.length === 1 ? 1.5 : index === 0 ? 1.35 : 1.1
    const [width, height] = [340 * scale, 440 * scale]
    const middle = (size * (2 * index + 1)) / (2 * faces.length)
    return drawHead(face, { x: middle - width / 2, y: size - height, width, height })
  })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"><rect width="${size}" height="${size}" fill="#c9d3dd"/>${people.join('')}</svg>`
  const { data, info } = await sharp(Buffer.from(svg))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}
