import type {
  Batch,
  Call,
  SynthesizeRequest,
  Voice,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookEndpoint,
} from '@vaani/client'

/** Words for codes that the contract lists: one that it gains does not compile until each language has it. */
interface ListedCodes {
  readonly callStatuses: Readonly<Record<Call['status'], string>>
  readonly callFailures: Readonly<Record<NonNullable<Call['failure_reason']>, string>>
  readonly callEnds: Readonly<Record<NonNullable<Call['ended_by']>, string>>
  readonly batchFailures: Readonly<Record<NonNullable<Batch['failure_reason']>, string>>
  readonly emotions: Readonly<Record<NonNullable<SynthesizeRequest['emotion']>, string>>
  readonly voiceKinds: Readonly<Record<Voice['kind'], string>>
  readonly eventTypes: Readonly<Record<WebhookDelivery['event_type'], string>>
  readonly attemptErrors: Readonly<
    Record<NonNullable<WebhookDeliveryDetail['attempts'][number]['error']>, string>
  >
  readonly disabledReasons: Readonly<Record<NonNullable<WebhookEndpoint['disabled_reason']>, string>>
}

/** Words for all codes. Those of checks and of parts of the server are open, because engines have their own. */
export interface Codes extends ListedCodes {
  readonly findings: Readonly<Record<keyof typeof findings, string>>
  readonly measures: Readonly<Record<keyof typeof measures, string>>
  readonly values: Readonly<Record<keyof typeof values, string>>
  readonly serverParts: Readonly<Record<keyof typeof serverParts, string>>
}

/** What a check found, or why it did not run. */
const findings = {
  simulated: 'Simulated',
  not_run: 'Not run',
  tried: 'Not finished',
  not_needed: 'Not needed',
  no_engine: 'No engine',
  engine_unavailable: 'Engine not available',
  check_failed: 'Check not completed',
  check_timed_out: 'Check took too long',
  attempts_exhausted: 'Tried several times in vain',
  score_invalid: 'Score unusable',
  quality_good: 'Good quality',
  image_blurred: 'Image blurred',
  image_glare: 'Image glare',
  image_too_dark: 'Image too dark',
  image_too_bright: 'Image too bright',
  image_too_small: 'Document too small in the image',
  document_cropped: 'Document cut off',
  no_moire: 'No sign of a screen',
  recapture_suspected: 'May show a screen or a print',
  one_side: 'One side only',
  sides_differ: 'Two sides',
  sides_identical: 'The same side twice',
  mrz_valid: 'Zone valid',
  mrz_not_found: 'No machine-readable zone found',
  mrz_glare: 'Glare on the zone',
  mrz_check_digit: 'Wrong check digit in the zone',
  mrz_unsure: 'Zone not read with certainty',
  mrz_date_invalid: 'No such date in the zone',
  mrz_name_mismatch: 'Printed name and zone differ',
  barcode_instead: 'The barcode counts instead',
  names_match: 'Names match',
  other_script: 'Printed in another script',
  nothing_to_compare: 'Nothing to compare',
  print_not_read: 'Print not read',
  printed_date_mismatch: 'Printed dates and zone differ',
  no_barcode: 'No barcode',
  barcode_read: 'Barcode read',
  barcode_mismatch: 'Barcode and zone differ',
  barcode_incomplete: 'Barcode incomplete',
  document_not_recognised: 'Unknown kind of document',
  fields_read: 'Fields read',
  fields_unsure: 'Fields not read with certainty',
  fields_differ: 'The two sides differ',
  document_valid: 'Still valid',
  document_expired: 'Document expired',
  expiry_not_read: 'Expiry not read',
  never_expires: 'Never expires',
  video_whole: 'Video complete',
  video_cut: 'Video cut',
  video_moves: 'Moves',
  video_frozen: 'Nothing moves in the video',
  video_looped: 'Video repeats itself',
  video_black: 'Video dark',
  no_frame_extractor: 'No program to read frames',
  too_few_frames: 'Too few frames',
  too_few_faces: 'Face in too few frames',
  no_face: 'No face in the video',
  several_faces: 'Several faces in the video',
  face_matches: 'Faces match',
  face_mismatch: 'Faces differ',
  face_unsure: 'Unsure whether the faces match',
  no_face_in_portrait: 'No face in the portrait',
  live: 'Live person',
  not_live: 'Not a live person',
  liveness_unsure: 'Unsure whether the person is live',
  liveness_not_run: 'Liveness not checked',
  nothing_read: 'Nothing read',
  document_accepted: 'Accepted',
  document_kind_not_accepted: 'Kind of document not accepted',
  document_is_specimen: 'A specimen',
  country_not_accepted: 'Country not accepted',
  country_not_read: 'Country not read',
  under_age: 'Too young',
  age_not_read: 'Date of birth not read',
  media_reused: 'Sent before',
  document_reused: 'Document sent before for somebody else',
  media_resembles: 'Looks like one sent before',
}

/** What a check measured. */
const measures = {
  score: 'Score',
  confidence: 'Confidence',
  character_confidence: 'Confidence of a character',
  sharpness: 'Sharpness',
  glare: 'Glare',
  luma: 'Brightness',
  short_side_pixels: 'Short side in pixels',
  motion: 'Motion',
  repetition: 'Repetition',
  duration_seconds: 'Seconds',
  difference_seconds: 'Difference in seconds',
  frames: 'Frames',
  with_one_face: 'Frames with one face',
  with_several: 'Frames with several faces',
  unlike_bits: 'Parts that differ',
  peak: 'Peak',
  sides: 'Sides',
  format: 'Format',
  words: 'Words',
  words_found: 'Words found',
  labels_found: 'Labels found',
  fields: 'Fields',
  fields_read: 'Fields read',
  wrong_check_digits: 'Wrong check digits',
  oddity: 'Oddity',
  readings: 'Readings',
  compared: 'Compared',
  other_name: 'Other name',
  other_date: 'Other date',
  template: 'Template',
  templates: 'Templates',
  engine: 'Engine',
  passed_from: 'Passes from',
  failed_below: 'Fails below',
  earlier_verification: 'Earlier verification',
  simulated: 'Simulated',
}

/** What a check found in words, and how a part of the server is. */
const values = {
  none: 'none',
  run_of_letters: 'a run of letters',
  document_type: 'kind of document',
  country: 'country',
  names: 'names',
  document_number: 'number',
  date_of_birth: 'date of birth',
  expiry_date: 'expiry',
  ok: 'works',
  absent: 'none',
  memory: 'in memory',
  redis: 'in Redis',
  simulator: 'simulator',
}

const serverParts = {
  database: 'Database',
  webhooks: 'Webhooks',
  verifications: 'Verifications',
  documents: 'Documents',
  batches: 'Batches',
  calls: 'Calls',
  limits: 'Limits',
  speech: 'Speech',
  carrier: 'Carrier',
}

export const enCodes: Codes = {
  callStatuses: {
    queued: 'Queued',
    'in-progress': 'In progress',
    completed: 'Completed',
    failed: 'Failed',
  },
  callFailures: {
    busy: 'busy',
    'no-answer': 'no answer',
    rejected: 'rejected',
    unreachable: 'not reachable',
    canceled: 'canceled',
    'carrier-error': 'error of the carrier',
    'agent-error': 'error of the agent',
    interrupted: 'interrupted',
  },
  callEnds: {
    agent: 'the agent',
    callee: 'the person called',
    carrier: 'the carrier',
    duration_limit: 'the limit of its length',
  },
  batchFailures: { expired: 'too late' },
  emotions: {
    neutral: 'Neutral',
    friendly: 'Friendly',
    professional: 'Professional',
    excited: 'Excited',
    calm: 'Calm',
    warm: 'Warm',
  },
  voiceKinds: { parametric: 'A built-in voice with the pitch and timbre of the speaker' },
  eventTypes: {
    'call.queued': 'Call queued',
    'call.in_progress': 'Call in progress',
    'call.completed': 'Call completed',
    'call.failed': 'Call failed',
    'verification.review': 'Verification in review',
    'verification.approved': 'Verification approved',
    'verification.declined': 'Verification declined',
    'document.completed': 'Document read',
    'batch.completed': 'Batch completed',
    'batch.failed': 'Batch failed',
    'batch.canceled': 'Batch canceled',
    'webhook.endpoint_failing': 'Endpoint failing',
    'webhook.endpoint_disabled': 'Endpoint disabled',
  },
  attemptErrors: {
    timeout: 'no answer in time',
    connect_timeout: 'no connection in time',
    connection_refused: 'connection refused',
    connection_reset: 'connection broken off',
    destination_refused: 'address not allowed',
    dns_failed: 'host name not found',
    tls_failed: 'TLS failed',
    network_error: 'network error',
  },
  disabledReasons: {
    requested: 'by a request',
    gone: 'the receiver wants no more',
    failing: 'failed for days',
  },
  findings,
  measures,
  values,
  serverParts,
}
