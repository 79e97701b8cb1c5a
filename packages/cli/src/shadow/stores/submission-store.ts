import type { ManifestLine, StoredSubmission } from '../manifest.ts'

/** Stored submissions, in a folder or in a bucket. */
export interface SubmissionStore extends AsyncDisposable {
  readonly lines: AsyncGenerator<ManifestLine>
  /**
   * Makes the files of a submission readable on this machine until the result is disposed of.
   *
   * @throws RefusedLine if one of them cannot be read
   */
  hold(submission: StoredSubmission, signal: AbortSignal): Promise<HeldSubmission>
}

/** A submission whose files are named by absolute path. */
export interface HeldSubmission extends AsyncDisposable {
  readonly submission: StoredSubmission
}
