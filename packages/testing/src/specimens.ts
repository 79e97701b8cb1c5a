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

/**
 * The path of a specimen, for `identity.submit`.
 *
 * @example
 * await vaani.client.identity.submit({
 *   front_image: specimenPath('passport.jpg'),
 *   liveness_video: specimenPath('liveness.mp4'),
 *   external_id: 'test_approved',
 * })
 */
export function specimenPath(specimen: Specimen): string {
  // They are of a package that the server brings along.
  const server = createRequire(import.meta.url).resolve('@vaani/server/testing')
  return createRequire(server).resolve(`@vaani/identity-checks/specimens/${specimen}`)
}
