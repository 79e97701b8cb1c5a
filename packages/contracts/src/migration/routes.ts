import { z } from 'zod'
import { SUBMIT_V1_PARTS } from '../identity/resources.ts'
import { namedIdSchema } from '../shared/ids.ts'
import { LIMITS } from '../shared/limits.ts'
import { pageQuerySchema, pageSchema } from '../shared/pagination.ts'
import { binaryBodySchema, defineRoute } from '../shared/route.ts'
import { lineSchema } from '../shared/text.ts'
import { defineContract, formData } from '../shared/ts-rest.ts'
import {
  acknowledgeSchema,
  changeSchema,
  changeStageSchema,
  checksSchema,
  killSwitchSchema,
  migrationSchema,
  pairSchema,
  reasonedSchema,
  reportSchema,
  storedSchema,
} from './resources.ts'
import { KYC_VERSIONS } from './stages.ts'
import { PAIR_KINDS, PAIR_OUTCOMES, SEVERITIES } from './vocabulary.ts'

const pairPath = z.object({ pair_id: namedIdSchema('pair', 'not_found') })

/** Two images, a video and the texts of a submission. */
const SUBMISSION_BYTES = 2 * LIMITS.imageBytes + LIMITS.videoBytes + LIMITS.jsonBodyBytes

export const SUBMISSION_PARTS = {
  ...SUBMIT_V1_PARTS,
  answered_by: {
    kind: 'text',
    required: false,
    schema: z.enum(KYC_VERSIONS),
    description:
      'Version that answered it; v1 if `verification_id` is there. Without both, v1 gets it first.',
  },
  verification_id: {
    kind: 'text',
    required: false,
    schema: lineSchema.min(1).max(200),
    description: 'Id that it got there.',
  },
} as const

/** Administration of a migration from KYC v1 to v2. */
export const migrationRoutes = {
  retrieve: defineRoute({
    operation: 'migration.retrieve',
    method: 'GET',
    path: '/migration',
    summary: 'Read the migration',
    description: 'Returns the stage, the kill switch, the evidence and what it advises.',
    scope: 'admin',
    success: { 200: migrationSchema },
  }),
  check: defineRoute({
    operation: 'migration.check',
    method: 'GET',
    path: '/migration/check',
    summary: 'Check that the migration can begin',
    description:
      'Asks both deployments with the configured keys. With a test key, the candidate gets a submission, which is erased once its ' +
      'signed callback arrived, or after 20 s. Needs no traffic.',
    scope: 'admin',
    success: { 200: checksSchema },
  }),
  changeStage: defineRoute({
    operation: 'migration.changeStage',
    method: 'PUT',
    path: '/migration/stage',
    summary: 'Change the stage',
    description:
      'Takes effect in every process within 2 s. A stage in which v2 answers needs the advice `promote`, and a larger share of ' +
      'shadow traffic any advice but `roll_back`: otherwise it is 409, unless `force` is set. Forcing against `roll_back` starts new ' +
      'evidence. Going up is also 409 while the candidate refuses the key of the migration. Going back is always possible. If an OpenFeature provider decides the stage, every change here is 409.',
    scope: 'admin',
    body: changeStageSchema,
    success: { 200: migrationSchema },
    errors: ['state_conflict'],
  }),
  rollBack: defineRoute({
    operation: 'migration.rollBack',
    method: 'POST',
    path: '/migration/rollback',
    summary: 'Roll back',
    description:
      'Lets v1 answer again, leaves one percent of the submissions shadowed, and starts new evidence. Does nothing at a stage ' +
      'that shadows no more than that.',
    scope: 'admin',
    body: reasonedSchema,
    success: { 200: migrationSchema },
    errors: ['state_conflict'],
  }),
  setKillSwitch: defineRoute({
    operation: 'migration.setKillSwitch',
    method: 'PUT',
    path: '/migration/kill-switch',
    summary: 'Stop all shadow traffic, or allow it again',
    description:
      'While it is engaged, nothing is copied and nothing is sent to the shadow. Callers get the answers of the version that the ' +
      'stage names. A file or an environment variable that engages it wins.',
    scope: 'admin',
    body: killSwitchSchema,
    success: { 200: migrationSchema },
    errors: ['state_conflict'],
  }),
  restartEvidence: defineRoute({
    operation: 'migration.restartEvidence',
    method: 'POST',
    path: '/migration/evidence/restart',
    summary: 'Start new evidence',
    description: 'Only pairs of submissions from now on count, as after a new release of v2.',
    scope: 'admin',
    body: reasonedSchema,
    success: { 200: migrationSchema },
    errors: ['state_conflict'],
  }),
  listChanges: defineRoute({
    operation: 'migration.listChanges',
    method: 'GET',
    path: '/migration/changes',
    summary: 'List changes',
    description: 'Lists every change of stage, switch and evidence, newest first.',
    scope: 'admin',
    query: pageQuerySchema('change'),
    success: { 200: pageSchema(changeSchema) },
  }),
  listPairs: defineRoute({
    operation: 'migration.listPairs',
    method: 'GET',
    path: '/migration/pairs',
    summary: 'List pairs',
    description: 'Lists pairs, newest first.',
    scope: 'admin',
    query: pageQuerySchema('pair').extend({
      outcome: z.enum(PAIR_OUTCOMES).optional().meta({ description: 'Only pairs with this outcome.' }),
      severity: z.enum(SEVERITIES).optional().meta({ description: 'Only mismatches of this severity.' }),
      kind: z.enum(PAIR_KINDS).optional().meta({ description: 'Only pairs of this kind.' }),
      open: z
        .literal('true')
        .optional()
        .meta({ description: '`true` leaves only mismatches that nobody acknowledged.' }),
    }),
    success: { 200: pageSchema(pairSchema) },
  }),
  retrievePair: defineRoute({
    operation: 'migration.retrievePair',
    method: 'GET',
    path: '/migration/pairs/:pair_id',
    summary: 'Read a pair',
    description: 'Returns both sides of a pair and how they compare.',
    scope: 'admin',
    pathParams: pairPath,
    success: { 200: pairSchema },
    errors: ['not_found'],
  }),
  acknowledgePair: defineRoute({
    operation: 'migration.acknowledgePair',
    method: 'POST',
    path: '/migration/pairs/:pair_id/acknowledge',
    summary: 'Acknowledge a mismatch',
    description: 'Closes an open mismatch with a note. It still counts as evidence. Any other pair is 409.',
    scope: 'admin',
    pathParams: pairPath,
    body: acknowledgeSchema,
    success: { 200: pairSchema },
    errors: ['not_found', 'state_conflict'],
  }),
  report: defineRoute({
    operation: 'migration.report',
    method: 'GET',
    path: '/migration/report',
    summary: 'Read the report',
    description:
      'Returns all evidence: rates with their bounds, decisions, latencies, callbacks and open mismatches.',
    scope: 'admin',
    success: { 200: reportSchema },
  }),
  reportPage: defineRoute({
    operation: 'migration.reportPage',
    method: 'GET',
    path: '/migration/report.html',
    summary: 'Read the report as a page',
    description:
      'Returns the report as one HTML file with its charts and tables. It has no script and loads nothing, so it can be kept or sent.',
    scope: 'admin',
    success: { 200: binaryBodySchema },
    successBody: 'text',
    mediaTypes: ['text/html'],
  }),
  submit: defineRoute({
    operation: 'migration.submit',
    method: 'POST',
    path: '/migration/submissions',
    summary: 'Shadow one submission',
    description:
      'For callers whose submissions do not pass the gateway, and for replays of stored ones. The submission is sampled as in the ' +
      'gateway; it is 409 if the stage shadows nothing or the kill switch is engaged, and 503 if the spool is full.',
    scope: 'admin',
    contentType: 'multipart/form-data',
    body: formData,
    parts: SUBMISSION_PARTS,
    bodyLimitBytes: SUBMISSION_BYTES,
    success: { 202: storedSchema },
    errors: ['missing_artifact', 'state_conflict'],
  }),
} as const

const routes = defineContract({ migration: migrationRoutes })

/** Every endpoint of a migration worker, apart from the contract of the service. */
export const migrationContract: typeof routes = routes
