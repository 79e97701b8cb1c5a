import { migrationReportPage, migrationRoutes, migrationSubmit } from '../generated/routes.ts'
import type {
  AcknowledgeRequest,
  ChangeStageRequest,
  KillSwitchRequest,
  Migration as MigrationState,
  MigrationChange,
  MigrationChecks,
  MigrationReport,
  Pair,
  ReasonedRequest,
  StoredSubmission,
} from '../generated/types.ts'
import { type List, list } from '../streams/pages.ts'
import type { RequestOptions } from '../transport/client-options.ts'
import type { Pending } from '../transport/pending.ts'
import { readWholeText } from '../transport/read-json.ts'
import { upload } from './upload.ts'
import { formUpload, type UploadOptions } from '../upload/upload-body.ts'
import { type Body, connect, type Connection, methods, type Query } from './resource.ts'

/** Steers and observes a migration from KYC v1 to v2 through its migration worker. Requires the worker's admin key. */
export interface Migration {
  /** Returns the stage, the kill switch, the evidence and what it advises. */
  retrieve(options?: RequestOptions): Pending<MigrationState>
  /** Asks both deployments, before any traffic, whether the migration can begin. Changes nothing there. */
  check(options?: RequestOptions): Pending<MigrationChecks>
  /**
   * Changes the stage in every process within 2 s. Fails with `state_conflict` if the evidence does not advise it, unless `force`
   * is set.
   *
   * @example
   * await migration.changeStage({ stage: 'shadow-10', reason: 'Day 2 of the plan', actor: 'asha' })
   */
  changeStage(change: ChangeStageRequest, options?: RequestOptions): Pending<MigrationState>
  /** Lets v1 answer again, shadows one percent, and starts new evidence. */
  rollBack(request: ReasonedRequest, options?: RequestOptions): Pending<MigrationState>
  /** Stops all shadow traffic, or allows it again. */
  setKillSwitch(request: KillSwitchRequest, options?: RequestOptions): Pending<MigrationState>
  /** Counts only pairs of submissions from now on, as after a new release of v2. */
  restartEvidence(request: ReasonedRequest, options?: RequestOptions): Pending<MigrationState>
  /** Lists every change of stage, switch and evidence, newest first. */
  listChanges(query?: Query<'migration.listChanges'>, options?: RequestOptions): List<MigrationChange>
  /**
   * Lists pairs, newest first.
   *
   * @example
   * for await (const pair of migration.listPairs({ severity: 'worst', open: 'true' })) console.log(pair.pair_id)
   */
  listPairs(query?: Query<'migration.listPairs'>, options?: RequestOptions): List<Pair>
  retrievePair(pairId: string, options?: RequestOptions): Pending<Pair>
  /** Closes an open mismatch with a note. It still counts as evidence. */
  acknowledgePair(pairId: string, request: AcknowledgeRequest, options?: RequestOptions): Pending<Pair>
  /** Returns all evidence: rates with their bounds, decisions, latencies, callbacks and open mismatches. */
  report(options?: RequestOptions): Pending<MigrationReport>
  /** Returns the report as one HTML file, which loads nothing. */
  reportPage(options?: RequestOptions): Pending<string>
  /**
   * Shadows one submission that does not pass the gateway, if its subject is in the sample.
   *
   * @example
   * await migration.submit({ front_image: 'front.jpg', liveness_video: 'face.mp4', external_id: 'user-7' })
   */
  submit(
    submission: Body<'migration.submit'>,
    options?: RequestOptions & UploadOptions,
  ): Pending<StoredSubmission>
}

/**
 * Creates the client of a migration worker.
 *
 * @example
 * const migration = createMigration({ apiKey: adminKey, baseUrl: 'http://127.0.0.1:8091' })
 * const { stage, verdict } = await migration.retrieve()
 */
export function createMigration(connection: Connection): Migration {
  const transport = connect(connection)
  return {
    ...methods(transport, 'migration', migrationRoutes, list),
    reportPage: (options) =>
      transport.send({ route: migrationReportPage, accept: 'text/html', options, read: readWholeText }),
    submit: ({ front_image, back_image, liveness_video, ...fields }, options) =>
      upload(
        transport,
        migrationSubmit,
        formUpload,
        { media: { front_image, back_image, liveness_video }, fields },
        options,
      ),
  }
}
