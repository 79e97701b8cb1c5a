import { createRequire } from 'node:module'

/** Generated pictures and a video, none of a real person or document. */
export const SPECIMENS = [
  'passport.jpg',
  'passport-expired.jpg',
  'passport-blurred.jpg',
  'passport-on-screen.jpg',
  'card-front.jpg',
  'card-back.jpg',
  'person.jpg',
  'other-person.jpg',
  'liveness.mp4',
] as const
export type Specimen = (typeof SPECIMENS)[number]

/** Returns the path of a specimen in the `@vaani/identity-checks` that `importer`, a path or `file:` URL, depends on. */
export const findSpecimen = (specimen: Specimen, importer: string): string =>
  createRequire(importer).resolve(`@vaani/identity-checks/specimens/${specimen}`)
