import type { StreamedContent } from '@vaani/service-kit/http/streamed-route'
import type { ArtifactName, ArtifactSink, ReceivedArtifact } from './receive-artifact.ts'

/** The content of a submission, the same for both versions. Two submissions are the same if all of it is. */
export interface Submission extends StreamedContent {
  readonly fields: {
    version: 1 | 2
    externalId: string | null
    callbackUrl: string | null
    storeMedia: boolean
  }
  readonly files: ReadonlyMap<ArtifactName, ReceivedArtifact>
}

/** Takes the artifacts of a submission while it arrives. */
export interface Intake {
  /** @param param the artifact's name in the request */
  open(name: ArtifactName, param: string): ArtifactSink
  onReceived(artifact: ReceivedArtifact): void
}
