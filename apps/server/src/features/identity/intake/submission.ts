import type { ArtifactName } from '@vaani/contracts'
import type { StreamedContent } from '@vaani/service-kit/http/body/streamed-route'
import type { ArtifactSink, ReceivedArtifact } from './receive-artifact.ts'

/** The content of a submission, in the same form for both versions. Equal content means an equal submission. */
export interface Submission extends StreamedContent {
  readonly fields: {
    version: 1 | 2
    externalId: string | null
    callbackUrl: string | null
    storeMedia: boolean
  }
  readonly files: ReadonlyMap<ArtifactName, ReceivedArtifact>
}

/** Receives the artifacts of a submission while it arrives. */
export interface Intake {
  /** @param param the artifact's name in the request */
  open(name: ArtifactName, param: string): ArtifactSink
  onReceived(artifact: ReceivedArtifact): void
}
