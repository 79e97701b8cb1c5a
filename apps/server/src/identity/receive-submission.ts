import type { FastifyRequest } from 'fastify'
import type { AppContext } from '../context.ts'
import { principalOf } from '../http/authorize.ts'
import { inspectArtifact, type InspectedArtifact } from './inspect-artifact.ts'
import { receiveArtifact } from './receive-artifact.ts'
import type { Intake, Submission } from './submission.ts'

/** A submission that has come in, in files of its own; nothing of it is kept. */
export interface ReceivedSubmission extends Submission, AsyncDisposable {
  /** What was found of each artifact. @throws ApiError `media_unreadable` */
  inspected(): Promise<InspectedArtifact[]>
}

/** Takes in a submission. Whatever becomes of it, its folder is gone once it is disposed. */
export async function receiveSubmission(
  { identity, vault }: AppContext,
  request: FastifyRequest,
  read: (intake: Intake) => Promise<Submission>,
): Promise<ReceivedSubmission> {
  const { accountId } = principalOf(request)
  await using held = new AsyncDisposableStack()
  const folder = held.use(await identity.intakes.open())
  const inspections: Promise<InspectedArtifact>[] = []
  // They read what goes with the folder.
  held.defer(async () => void (await Promise.allSettled(inspections)))
  const submission = await read({
    open: (name, param) =>
      receiveArtifact({
        name,
        param,
        file: folder.file(name),
        fingerprint: vault.startFingerprint(accountId),
      }),
    // The document is looked at while the video is still on its way.
    onReceived(artifact) {
      const inspection = inspectArtifact(identity, artifact)
      // Thrown by `inspected`, unless the submission fails before.
      inspection.catch(() => undefined)
      inspections.push(inspection)
    },
  })
  const kept = held.move()
  return {
    ...submission,
    inspected: () => Promise.all(inspections),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
