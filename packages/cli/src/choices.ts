import type {
  Call,
  CreateBatchRequest,
  CreateKeyRequest,
  CreateWebhookEndpointRequest,
  DeployRequest,
  Migration,
  MigrationStage,
  Pair,
  ReviewEntry,
  ReviewRequest,
  RotateWebhookSecretRequest,
  StreamSpeechRequest,
  Verification,
  WebhookDelivery,
} from '@vaani/client'

// Allowed values of options; a test compares them with the contracts.

export const CALL_STATUSES = [
  'queued',
  'in-progress',
  'completed',
  'failed',
] as const satisfies Call['status'][]

export const DELIVERY_STATUSES = [
  'pending',
  'delivered',
  'dead',
] as const satisfies WebhookDelivery['status'][]

export const VERIFICATION_STATUSES = [
  'pending',
  'approved',
  'review',
  'declined',
] as const satisfies Verification['status'][]

export const REVIEW_DECISIONS = ['approved', 'declined'] as const satisfies ReviewRequest['decision'][]

export const ARTIFACT_NAMES = [
  'front_image',
  'back_image',
  'liveness_video',
  'reference_portrait',
] as const satisfies ReviewEntry['artifact'][]

export const SIGN_WITH = ['new', 'previous'] as const satisfies RotateWebhookSecretRequest['sign_with'][]

export const EMOTIONS = [
  'neutral',
  'friendly',
  'professional',
  'excited',
  'calm',
  'warm',
] as const satisfies StreamSpeechRequest['emotion'][]

export const EVENT_TYPES = [
  'call.queued',
  'call.in_progress',
  'call.completed',
  'call.failed',
  'verification.review',
  'verification.approved',
  'verification.declined',
  'batch.completed',
  'batch.failed',
  'batch.canceled',
  'webhook.endpoint_failing',
  'webhook.endpoint_disabled',
] as const satisfies CreateWebhookEndpointRequest['events']

export const BATCH_ENDPOINTS = [
  '/v1/chat/completions',
  '/v1/audio/speech',
  '/v1/engine/synthesize',
  '/v1/ocr/process',
] as const satisfies CreateBatchRequest['endpoint'][]

export const BATCH_WINDOWS = ['1h', '24h'] as const satisfies CreateBatchRequest['completion_window'][]

export const SCOPES = [
  'calls:write',
  'calls:read',
  'speech:write',
  'voices:write',
  'identity:write',
  'identity:read',
  'identity:review',
  'models:use',
  'batch:write',
  'deploy:write',
  'admin',
] as const satisfies CreateKeyRequest['scopes']

export const SYNTHESIS_MODELS = [
  'synth-v1',
  'synth-l1',
  'synth-l2',
] as const satisfies DeployRequest['base_model'][]

export const DEPLOYMENT_TARGETS = ['docker', 'kubernetes'] as const satisfies DeployRequest['target'][]

export const STAGES = [
  'off',
  'shadow-1',
  'shadow-10',
  'shadow-25',
  'shadow-50',
  'shadow-100',
  'live',
  'complete',
] as const satisfies MigrationStage[]

export const SEVERITIES = ['mild', 'serious', 'worst'] as const satisfies Pair['severity'][]

export const KYC_VERSIONS = ['v1', 'v2'] as const satisfies Migration['answers'][]
