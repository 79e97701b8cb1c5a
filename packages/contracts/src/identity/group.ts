import { MIB } from '../shared/bytes.ts'
import type { GroupDeclaration } from '../shared/group.ts'
import { DAY_SECONDS, perMinute, sameForAll } from '../shared/rates.ts'

/** Reads of one verification while it is pending. */
const STATUS_POLLS = 120

export const identityGroup = {
  name: 'identity',
  description: 'Identity verification.',
  ids: { verification: 'ver_' },
  limits: {
    statusPollsPerVerification: STATUS_POLLS,
    liveVideoSecondsMin: 3,
    liveVideoSecondsMax: 10,
    /** For both submission versions: the decoded size of 50 MiB of base64. */
    videoBytes: 37.5 * MIB,
    imageBytes: 15 * MIB,
  },
  rateLimits: {
    kyc_submissions: perMinute(60, 600, true),
    status_polls: {
      per: 'verification',
      rates: sameForAll({ limit: STATUS_POLLS, periodSeconds: 30 * DAY_SECONDS }),
      beyondSpecification: false,
      retryAfterSeconds: 5,
      remainingHeader: 'x-polls-remaining',
    },
    verification_reads: perMinute(300, 3000, true),
  },
  concurrencyLimits: {
    pending_verifications: {
      unit: 'pending verifications',
      heldBy: 'verification',
      limits: { starter: 100, pro: 1000, enterprise: 10_000 },
      retryAfterSeconds: 5,
    },
  },
  scopes: ['identity:write', 'identity:read'],
  errors: {
    missing_artifact: {
      status: 400,
      type: 'invalid_request_error',
      retryable: false,
      description: 'A required image or video is missing, empty or misnamed.',
    },
    invalid_signature: {
      status: 400,
      type: 'invalid_request_error',
      retryable: false,
      description: 'X-Service-Signature does not match the HMAC of the raw body.',
    },
    verification_not_found: {
      status: 404,
      type: 'not_found_error',
      retryable: false,
      description: 'There is no such verification in this account.',
    },
    spoof_detected: {
      status: 422,
      type: 'invalid_request_error',
      retryable: false,
      description: 'The media shows strong signs of being a recapture.',
    },
    media_unreadable: {
      status: 422,
      type: 'invalid_request_error',
      retryable: false,
      description: 'The media is damaged, of the wrong type, or outside its bounds.',
    },
  },
  events: {
    review: 'verification.review',
    approved: 'verification.approved',
    declined: 'verification.declined',
  },
} as const satisfies GroupDeclaration
