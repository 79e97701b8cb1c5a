import { principalOf } from '@vaani/service-kit/http/authorize'
import type { FastifyRequest } from 'fastify'
import type { IdentityContext } from '../context.ts'
import type { NewMedia } from '../media-store.ts'
import { inspectArtifact, type InspectedArtifact } from './inspect-artifact.ts'
import { maxBytesOf, receiveArtifact } from './receive-artifact.ts'
import type { Intake, Submission } from './submission.ts'

/** A received submission in temporary files. Nothing is stored yet: what was sealed as it arrived is unfinished. */
export interface ReceivedSubmission extends Submission, AsyncDisposable {
  readonly media: NewMedia
  /** Waits for the inspections and returns their results. @throws ApiError `media_unreadable` */
  inspected(): Promise<InspectedArtifact[]>
}

/** Receives a submission into a folder. The folder is removed when the submission is disposed or fails to arrive. */
export async function receiveSubmission(
  { identity, vault }: IdentityContext,
  request: FastifyRequest,
  read: (intake: Intake) => Promise<Submission>,
): Promise<ReceivedSubmission> {
  const { accountId } = principalOf(request)
  await using held = new AsyncDisposableStack()
  const folder = held.use(await identity.intakes.open())
  const media = held.use(identity.media.create())
  const inspections: Promise<InspectedArtifact>[] = []
  // Wait for inspections before the folder is removed, because they read from it.
  held.defer(async () => void (await Promise.allSettled(inspections)))
  const submission = await read({
    open: (name, param) =>
      receiveArtifact({
        name,
        param,
        file: folder.file(name),
        // Images are stored in another form than they were sent.
        sealed: name === 'liveness_video' ? media.begin(name, { maxBytes: maxBytesOf(name) }) : null,
        fingerprint: vault.startFingerprint(accountId),
        pace: (bytes) => identity.uploadPace.take(accountId, bytes),
      }),
    // Inspect the document while the video is still arriving.
    onReceived(artifact) {
      const inspection = inspectArtifact(identity.runner, artifact, accountId)
      // `inspected` rethrows the error, unless the submission fails first.
      inspection.catch(() => undefined)
      inspections.push(inspection)
    },
  })
  const kept = held.move()
  return {
    ...submission,
    media,
    inspected: () => Promise.all(inspections),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
