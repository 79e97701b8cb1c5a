import sharp from 'sharp'
import type { RgbPicture } from '../src/image/rgb-picture.ts'

export interface DrawnFace {
  skin: string
  hair: string
  /** Half the distance between the eyes, and half the width of the face, in pixels of a 480-pixel picture. */
  eyes: number
  width: number
  /** Sideways offset of the gaze. */
  gaze?: number
}

/** Persons who do not exist. */
export const ANNA: DrawnFace = { skin: '#eac0a0', hair: '#2a1a10', eyes: 42, width: 115 }
export const OTHER: DrawnFace = { skin: '#8a5a3c', hair: '#b8b8b8', eyes: 52, width: 140 }

function draw({ skin, hair, eyes, width, gaze = 0 }: DrawnFace, at: { left: number; scale: number }): string {
  const eye = (x: number) =>
    `<ellipse cx="${x}" cy="215" rx="22" ry="11" fill="#fff"/><circle cx="${x + gaze}" cy="215" r="9" fill="#301a10"/>` +
    `<path d="M${x - 28} 190 Q${x} 176 ${x + 28} 190" stroke="${hair}" stroke-width="7" fill="none"/>`
  return (
    `<g transform="translate(${at.left} 0) scale(${at.scale})">` +
    `<rect x="190" y="340" width="100" height="140" fill="${skin}"/>` +
    `<ellipse cx="240" cy="235" rx="${width}" ry="150" fill="${skin}"/>` +
    `<path d="M${240 - width} 200 Q240 20 ${240 + width} 200 Q${225 + width} 120 240 110 Q${255 - width} 120 ${240 - width} 200" fill="${hair}"/>` +
    `${eye(240 - eyes)}${eye(240 + eyes)}` +
    `<path d="M240 225 L226 275 Q240 286 254 275" stroke="#805030" stroke-width="5" fill="none"/>` +
    `<path d="M200 315 Q240 335 280 315 Q240 300 200 315" fill="#a0463c"/></g>`
  )
}

/** Draws a picture of faces side by side, or of the background alone if there are none. */
export async function drawPicture(...faces: readonly DrawnFace[]): Promise<RgbPicture> {
  const size = 960
  // The first face is the largest.
  const people = faces.map((face, index) =>
    draw(
      face,
      faces.length === 1 ? { left: 0, scale: 2 } : { left: index * 480, scale: index === 0 ? 1.1 : 0.9 },
    ),
  )
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"><rect width="${size}" height="${size}" fill="#8899aa"/>${people.join('')}</svg>`
  const { data, info } = await sharp(Buffer.from(svg))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}
