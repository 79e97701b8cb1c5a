import * as contracts from '@vaani/contracts'
import * as migration from '@vaani/contracts/migration'
import { expect, test } from 'vitest'
import {
  ARTIFACT_NAMES,
  BATCH_ENDPOINTS,
  BATCH_WINDOWS,
  CALL_STATUSES,
  DELIVERY_STATUSES,
  DEPLOYMENT_TARGETS,
  EMOTIONS,
  EVENT_TYPES,
  KYC_VERSIONS,
  REVIEW_DECISIONS,
  SCOPES,
  SEVERITIES,
  SIGN_WITH,
  STAGES,
  SYNTHESIS_MODELS,
  VERIFICATION_STATUSES,
} from './choices.ts'

test('options accept all values of the contracts', () => {
  expect(BATCH_ENDPOINTS).toEqual(contracts.BATCH_ENDPOINTS)
  expect(BATCH_WINDOWS).toEqual(Object.keys(contracts.BATCH_WINDOW_HOURS))
  expect(CALL_STATUSES).toEqual(contracts.CALL_STATUSES)
  expect(DELIVERY_STATUSES).toEqual(contracts.DELIVERY_STATUSES)
  expect(EMOTIONS).toEqual(contracts.EMOTIONS)
  expect(EVENT_TYPES).toEqual(contracts.WEBHOOK_EVENT_TYPES)
  expect(VERIFICATION_STATUSES).toEqual(contracts.VERIFICATION_STATUSES)
  expect(REVIEW_DECISIONS).toEqual(contracts.decideReviewSchema.shape.decision.options)
  expect(ARTIFACT_NAMES).toEqual(contracts.ARTIFACT_NAMES)
  expect(SIGN_WITH).toEqual(contracts.SIGN_WITH)
  expect(SCOPES).toEqual(contracts.SCOPES)
  expect(SYNTHESIS_MODELS).toEqual(contracts.SYNTHESIS_MODELS)
  expect(DEPLOYMENT_TARGETS).toEqual(contracts.DEPLOYMENT_TARGETS)
  expect(STAGES).toEqual(migration.STAGES)
  expect(SEVERITIES).toEqual(migration.SEVERITIES)
  expect(KYC_VERSIONS).toEqual(migration.KYC_VERSIONS)
})
