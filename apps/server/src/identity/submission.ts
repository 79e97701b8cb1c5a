import type { ArtifactName, ReceivedArtifact } from './receive-artifact.ts'

/** What both versions of a submission come to. */
export interface Submission {
  version: 1 | 2
  artifacts: ReadonlyMap<ArtifactName, ReceivedArtifact>
  externalId: string | null
  callbackUrl: string | null
  storeMedia: boolean
}
