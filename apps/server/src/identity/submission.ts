import type { StreamedContent } from '../http/streamed-route.ts'
import type { ArtifactName, ArtifactSink, ReceivedArtifact } from './receive-artifact.ts'

/** What both versions of a submission come to. All of it counts for whether two are the same. */
export interface Submission extends StreamedContent {
  readonly fields: {
    version: 1 | 2
    externalId: string | null
    callbackUrl: string | null
    storeMedia: boolean
  }
  readonly files: ReadonlyMap<ArtifactName, ReceivedArtifact>
}

/** Where the artifacts of a submission go while it comes in. */
export interface Intake {
  /** @param param how the request calls the artifact */
  open(name: ArtifactName, param: string): ArtifactSink
  onReceived(artifact: ReceivedArtifact): void
}
