// Generated from the contracts by `pnpm generate`; do not edit.

export const ARTIFACT_NAMES = ['front_image', 'back_image', 'liveness_video', 'reference_portrait'] as const

export const BATCH_ENDPOINTS = [
  '/v1/chat/completions',
  '/v1/responses',
  '/v1/completions',
  '/v1/embeddings',
  '/v1/moderations',
  '/v1/audio/speech',
  '/v1/engine/synthesize',
  '/v1/ocr/process',
] as const

export const BATCH_WINDOWS = ['1h', '24h'] as const

export const CALLER_ID_LANGUAGES = ['en-US', 'ne-NP', 'hi-IN', 'fr-FR', 'es-ES', 'de-DE'] as const

export const CALL_STATUSES = ['queued', 'in-progress', 'completed', 'failed'] as const

export const DELIVERY_STATUSES = ['pending', 'delivered', 'dead'] as const

export const DEPLOYMENT_TARGETS = ['docker', 'kubernetes'] as const

export const EMOTIONS = ['neutral', 'friendly', 'professional', 'excited', 'calm', 'warm'] as const

export const MARKUPS = ['keep', 'strip'] as const

export const OCR_ORIENTATIONS = ['auto', 'as_is'] as const

export const OCR_TEXT_LAYERS = ['auto', 'use', 'ignore'] as const

export const EVENT_TYPES = [
  'call.queued',
  'call.in_progress',
  'call.completed',
  'call.failed',
  'verification.review',
  'verification.approved',
  'verification.declined',
  'document.completed',
  'batch.completed',
  'batch.failed',
  'batch.canceled',
  'webhook.endpoint_failing',
  'webhook.endpoint_disabled',
] as const

export const KYC_VERSIONS = ['v1', 'v2'] as const

export const MEDIA_PROBLEMS = [
  'blurred',
  'glare',
  'too_dark',
  'cut_off',
  'covered',
  'wrong_picture',
  'missing',
] as const

export const REVIEW_REASONS = [
  'document_unreadable',
  'document_not_accepted',
  'document_expired',
  'document_doubtful',
  'details_differ',
  'face_mismatch',
  'not_live',
  'already_sent',
  'under_age',
  'other',
] as const

export const WAITING_FOR = ['reviewer', 'person'] as const

export const REVIEW_DECISIONS = ['approved', 'declined'] as const

export const MEMBER_ROLES = ['owner', 'developer', 'reviewer', 'viewer'] as const

export const SCOPES = [
  'calls:write',
  'calls:read',
  'speech:write',
  'voices:write',
  'identity:write',
  'identity:read',
  'identity:review',
  'identity:vouch',
  'models:use',
  'batch:write',
  'deploy:write',
  'do_not_call:write',
  'do_not_call:read',
  'admin',
] as const

export const SEVERITIES = ['mild', 'serious', 'worst'] as const

export const SIGN_WITH = ['new', 'previous'] as const

export const STAGES = [
  'off',
  'shadow-1',
  'shadow-10',
  'shadow-25',
  'shadow-50',
  'shadow-100',
  'live',
  'complete',
] as const

export const SYNTHESIS_MODELS = ['synth-v1', 'synth-l1', 'synth-l2'] as const

export const VERIFICATION_STATUSES = ['pending', 'approved', 'review', 'declined'] as const
