import * as contracts from '@vaani/contracts'
import { KYC_VERSIONS, SEVERITIES, STAGES } from '@vaani/contracts/migration'
import { HEADER } from './header.ts'

/** Values that options of the command line accept. */
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  ARTIFACT_NAMES: contracts.ARTIFACT_NAMES,
  BATCH_ENDPOINTS: contracts.BATCH_ENDPOINTS,
  BATCH_WINDOWS: Object.keys(contracts.BATCH_WINDOW_HOURS),
  CALLER_ID_LANGUAGES: contracts.CALLER_ID_LANGUAGES,
  CALL_STATUSES: contracts.CALL_STATUSES,
  DELIVERY_STATUSES: contracts.DELIVERY_STATUSES,
  DEPLOYMENT_TARGETS: contracts.DEPLOYMENT_TARGETS,
  EMOTIONS: contracts.EMOTIONS,
  MARKUPS: contracts.MARKUPS,
  OCR_ORIENTATIONS: contracts.OCR_ORIENTATIONS,
  OCR_TEXT_LAYERS: contracts.OCR_TEXT_LAYERS,
  EVENT_TYPES: contracts.WEBHOOK_EVENT_TYPES,
  KYC_VERSIONS,
  MEDIA_PROBLEMS: contracts.MEDIA_PROBLEMS,
  REVIEW_REASONS: contracts.REVIEW_REASONS,
  WAITING_FOR: contracts.WAITING_FOR,
  REVIEW_DECISIONS: contracts.decideReviewSchema.shape.decision.options,
  MEMBER_ROLES: contracts.MEMBER_ROLES,
  SCOPES: contracts.SCOPES,
  SEVERITIES,
  SIGN_WITH: contracts.SIGN_WITH,
  STAGES,
  SYNTHESIS_MODELS: contracts.SYNTHESIS_MODELS,
  VERIFICATION_STATUSES: contracts.VERIFICATION_STATUSES,
}

/** Writes them as constants, because the command line does not load the contracts. */
export function writeChoices(): string {
  const constants = Object.entries(CHOICES).map(
    ([name, values]) => `export const ${name} = ${JSON.stringify(values)} as const\n`,
  )
  return `${HEADER}\n\n${constants.join('\n')}`
}

/** Writes the status of each error code, from which the command line chooses its exit code. */
export function writeErrorStatuses(codes: readonly contracts.ErrorCode[]): string {
  const rows = codes.map((code) => `  ${code}: ${contracts.ERRORS[code].status},\n`)
  return `${HEADER}\n\nexport const ERROR_STATUSES = {\n${rows.join('')}} as const\n`
}
