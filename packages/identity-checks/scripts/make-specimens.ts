/** Writes the specimens that tests and the sandbox use: `node --conditions=vaani-source scripts/make-specimens.ts`. Needs ffmpeg. */
import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { photograph, recapture } from './camera.ts'
import { ANNA as ANNAS_FACE, drawPicture, OTHER as OTHERS_FACE } from './draw-face.ts'
import { drawCitizenshipBack, drawCitizenshipFront, SITA } from './draw-citizenship.ts'
import { ANNA, drawCardBack, drawCardFront, drawPassport } from './draw-specimen.ts'

const folder = path.resolve(import.meta.dirname, '../specimens')
const EXPIRED = { ...ANNA, expiry: '120415' }

const passport = await drawPassport(ANNA)
const specimens: Readonly<Record<string, Buffer>> = {
  'passport.jpg': await photograph(passport),
  'passport-expired.jpg': await photograph(await drawPassport(EXPIRED)),
  'passport-blurred.jpg': await sharp(await photograph(passport))
    .blur(6)
    .jpeg({ quality: 88 })
    .toBuffer(),
  'passport-on-screen.jpg': await recapture(passport),
  'card-front.jpg': await photograph(await drawCardFront(ANNA)),
  'citizenship-front.jpg': await photograph(await drawCitizenshipFront(SITA), 1200),
  'citizenship-back.jpg': await photograph(await drawCitizenshipBack(SITA), 1200),
  'card-back.jpg': await photograph(await drawCardBack(ANNA)),
}
for (const [name, bytes] of Object.entries(specimens)) await writeFile(path.join(folder, name), bytes)

/** Drawings of people who do not exist, for face engines. */
for (const [name, face] of [
  ['person', ANNAS_FACE],
  ['other-person', OTHERS_FACE],
] as const) {
  const { data, width, height } = await drawPicture(face)
  const jpeg = await sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 88 })
    .toBuffer()
  await writeFile(path.join(folder, `${name}.jpg`), jpeg)
}

/** Four seconds of the first of them, as held by an unsteady hand. */
const sway = "scale=400:400,crop=320:320:x='40+30*sin(t*2.1)':y='50+25*sin(t*1.3)',noise=alls=6:allf=t"
const picture = ['-loop', '1', '-framerate', '15', '-i', path.join(folder, 'person.jpg')]
const encoding = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-preset', 'slow', '-crf', '30', '-bitexact']
const output = ['-t', '4', '-vf', sway, ...encoding, path.join(folder, 'liveness.mp4')]
execFileSync('ffmpeg', ['-v', 'error', '-y', ...picture, ...output])
