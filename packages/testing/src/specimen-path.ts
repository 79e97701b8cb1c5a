import { findSpecimen, type Specimen } from '@vaani/test-harness'
import { findServerEntry } from './server-entry.ts'

/**
 * Returns the path of a specimen, for `identity.submit`.
 *
 * @example
 * await vaani.client.identity.submit({
 *   front_image: specimenPath('passport.jpg'),
 *   liveness_video: specimenPath('liveness.mp4'),
 *   external_id: 'test_approved',
 * })
 */
export function specimenPath(specimen: Specimen): string {
  // The specimens are in a package that the server depends on.
  return findSpecimen(specimen, findServerEntry())
}
