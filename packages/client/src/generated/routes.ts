// Generated from the contracts by `pnpm generate`; do not edit.

export const callsRoutes = {
  place: 'POST /agent/calls call_id,status json',
  retrieve: 'GET /agent/calls/{call_id} call_id,status',
  list: 'GET /agent/calls call_id,status[] pages',
  cancel: 'POST /agent/calls/{call_id}/cancel call_id,status',
  transcript: 'GET /agent/calls/{call_id}/transcript call_id,turns',
  removeRecording: 'DELETE /agent/calls/{call_id}/recording',
} as const

export const agentsRoutes = {
  list: 'GET /agent/agents agent_id,name[]',
} as const

export const lexiconsRoutes = {
  list: 'GET /v1/lexicons language,livemode[]',
  retrieve: 'GET /v1/lexicons/{language} language,livemode',
  replace: 'PUT /v1/lexicons/{language} language,livemode json',
  remove: 'DELETE /v1/lexicons/{language}',
} as const

export const voicesRoutes = {
  list: 'GET /v1/voices voice_id,livemode[] pages',
  remove: 'DELETE /v1/voices/{voice_id}',
} as const

export const identityRoutes = {
  retrieve: 'GET /identity/verifications/{verification_id} verification_id,decision query',
  list: 'GET /identity/verifications verification_id,decision[] pages',
  review: 'POST /identity/verifications/{verification_id}/review verification_id,decision json',
  reconsider: 'POST /identity/verifications/{verification_id}/reconsider verification_id,decision json',
  removeMedia: 'DELETE /identity/verifications/{verification_id}/media',
  subject: 'GET /identity/subjects/{external_id} verification_id,decision[] pages',
  eraseSubject: 'DELETE /identity/subjects/{external_id}',
} as const

export const reviewsRoutes = {
  list: 'GET /identity/reviews verification,policy[] pages',
  counts: 'GET /identity/reviews/counts reviews,claimed',
  claimNext: 'POST /identity/reviews/claim review json',
  retrieve: 'GET /identity/verifications/{verification_id}/review verification,policy',
  claim: 'POST /identity/verifications/{verification_id}/review/claim verification,policy json',
  release: 'POST /identity/verifications/{verification_id}/review/release verification,policy json',
  ask: 'POST /identity/verifications/{verification_id}/review/ask verification,policy json',
  addNote: 'POST /identity/verifications/{verification_id}/review/notes entry_id,type json',
  history: 'GET /identity/verifications/{verification_id}/review/history entry_id,type[] pages',
  frames: 'GET /identity/verifications/{verification_id}/review/frames frames query',
} as const

export const batchesRoutes = {
  create: 'POST /v1/batch batch_id,status json',
  retrieve: 'GET /v1/batch/{batch_id} batch_id,status',
  list: 'GET /v1/batch batch_id,status[] pages',
  cancel: 'POST /v1/batch/{batch_id}/cancel batch_id,status',
} as const

export const deploymentsRoutes = {
  create: 'POST /enterprise/deploy deployment_id,status json',
  list: 'GET /enterprise/deploy deployment_id,status[] pages',
  retrieve: 'GET /enterprise/deploy/{deployment_id} deployment_id,status',
  revoke: 'POST /enterprise/deploy/{deployment_id}/revoke deployment_id,status',
  issuer: 'GET /enterprise/issuer public_key,revocations[]',
} as const

export const membersRoutes = {
  invite: 'POST /admin/members member_id,account_id json',
  list: 'GET /admin/members member_id,account_id[] pages',
  retrieve: 'GET /admin/members/{member_id} member_id,account_id',
  update: 'PATCH /admin/members/{member_id} member_id,account_id json',
  inviteAgain: 'POST /admin/members/{member_id}/invitations member_id,account_id json',
  remove: 'DELETE /admin/members/{member_id} member_id,account_id',
} as const

export const requestsRoutes = {
  list: 'GET /requests refusal_id,request_id[] pages',
  summary: 'GET /requests/summary since,refused',
} as const

export const limitsRoutes = {
  retrieve: 'GET /v1/limits livemode,tier',
} as const

export const doNotCallRoutes = {
  add: 'POST /v1/do-not-call listed_number_id,livemode json',
  list: 'GET /v1/do-not-call listed_number_id,livemode[] pages',
  remove: 'DELETE /v1/do-not-call/{listed_number_id}',
  importCsv: 'POST /v1/do-not-call/csv added,already_listed json',
  addForAll: 'POST /admin/do-not-call listed_number_id,livemode json',
  listForAll: 'GET /admin/do-not-call listed_number_id,livemode[] pages',
  removeForAll: 'DELETE /admin/do-not-call/{listed_number_id}',
  importCsvForAll: 'POST /admin/do-not-call/csv added,already_listed json',
} as const

export const callerIdsRoutes = {
  start: 'POST /v1/caller-ids caller_id_id,livemode json',
  verify: 'POST /v1/caller-ids/{caller_id_id}/verify caller_id_id,livemode json',
  retrieve: 'GET /v1/caller-ids/{caller_id_id} caller_id_id,livemode',
  list: 'GET /v1/caller-ids caller_id_id,livemode[] pages',
  remove: 'DELETE /v1/caller-ids/{caller_id_id}',
} as const

export const webhooksRoutes = {
  createEndpoint: 'POST /webhooks/endpoints endpoint_id,url json',
  listEndpoints: 'GET /webhooks/endpoints endpoint_id,url[] pages',
  retrieveEndpoint: 'GET /webhooks/endpoints/{endpoint_id} endpoint_id,url',
  updateEndpoint: 'PATCH /webhooks/endpoints/{endpoint_id} endpoint_id,url json',
  deleteEndpoint: 'DELETE /webhooks/endpoints/{endpoint_id}',
  rotateSecret: 'POST /webhooks/endpoints/{endpoint_id}/rotate-secret secret,previous_secret_until json',
  rotateAccountSecret: 'POST /webhooks/rotate-secret secret,previous_secret_until json',
  sendTestEvent: 'POST /webhooks/endpoints/{endpoint_id}/test delivery_id,event_id json',
  listDeliveries: 'GET /webhooks/deliveries delivery_id,event_id[] pages',
  retrieveDelivery: 'GET /webhooks/deliveries/{delivery_id} delivery_id,event_id',
  resend: 'POST /webhooks/deliveries/{delivery_id}/resend delivery_id,event_id',
  recover: 'POST /webhooks/deliveries/recover resent json',
} as const

export const adminRoutes = {
  createAccount: 'POST /admin/accounts account_id,name json',
  listAccounts: 'GET /admin/accounts account_id,name[] pages',
  updateAccount: 'PATCH /admin/accounts/{account_id} account_id,name json',
  createKey: 'POST /admin/keys key_id,account_id json',
  listKeys: 'GET /admin/keys key_id,account_id[] pages',
  revokeKey: 'DELETE /admin/keys/{key_id} key_id,account_id',
  listAuditLog: 'GET /admin/audit-log entry_id,action[] pages',
  addCallerId: 'POST /admin/caller-ids caller_id_id,account_id json',
  listCallerIds: 'GET /admin/caller-ids caller_id_id,account_id[] pages',
  removeCallerId: 'DELETE /admin/caller-ids/{caller_id_id}',
  upsertAgent: 'PUT /admin/agents/{agent_id} agent_id,name json',
} as const

export const systemRoutes = {
  health: 'GET /healthz status',
  ready: 'GET /readyz status,checks',
  openapi: 'GET /openapi.json -',
} as const

export const migrationRoutes = {
  retrieve: 'GET /migration stage,answers',
  check: 'GET /migration/check passed,checks',
  changeStage: 'PUT /migration/stage stage,answers json',
  rollBack: 'POST /migration/rollback stage,answers json',
  setKillSwitch: 'PUT /migration/kill-switch stage,answers json',
  restartEvidence: 'POST /migration/evidence/restart stage,answers json',
  listChanges: 'GET /migration/changes change_id,kind[] pages',
  listPairs: 'GET /migration/pairs pair_id,kind[] pages',
  retrievePair: 'GET /migration/pairs/{pair_id} pair_id,kind',
  acknowledgePair: 'POST /migration/pairs/{pair_id}/acknowledge pair_id,kind json',
  report: 'GET /migration/report generated_at,migration',
} as const

export const callsRecording = {
  operation: 'calls.recording',
  path: '/agent/calls/{call_id}/recording',
} as const

export const speechStream = {
  operation: 'speech.stream',
  method: 'POST',
  path: '/v1/audio/stream',
  answer: 'pcm-stream',
} as const

export const synthesisSynthesize = {
  operation: 'synthesis.synthesize',
  method: 'POST',
  path: '/v1/engine/synthesize',
} as const

export const synthesisStream = {
  operation: 'synthesis.stream',
  method: 'POST',
  path: '/v1/engine/stream',
  answer: 'pcm-stream',
} as const

export const synthesisLanguages = {
  operation: 'synthesis.languages',
  path: '/v1/engine/languages',
  fields: 'language,quality[]',
} as const

export const synthesisClone = {
  operation: 'synthesis.clone',
  method: 'POST',
  path: '/v1/engine/clone',
  fields: 'voice_id,livemode',
} as const

export const watermarkDetect = {
  operation: 'watermark.detect',
  method: 'POST',
  path: '/v1/engine/watermark/detect',
  fields: 'detected,false_alarm_probability',
} as const

export const voicesClone = {
  operation: 'voices.clone',
  method: 'POST',
  path: '/v1/audio/clone',
  fields: 'voice_id,livemode',
} as const

export const identitySubmitV1 = {
  operation: 'identity.submitV1',
  method: 'POST',
  path: '/identity/kyc/v1',
  fields: 'verification_id,decision',
} as const

export const identitySubmitV2 = {
  operation: 'identity.submitV2',
  method: 'POST',
  path: '/identity/kyc/v2',
  fields: 'verification_id,decision',
} as const

export const reviewsMedia = {
  operation: 'reviews.media',
  path: '/identity/verifications/{verification_id}/review/media',
} as const

export const modelsList = {
  operation: 'models.list',
  path: '/v1/models',
  fields: 'id,object[]',
} as const

export const modelsRetrieve = {
  operation: 'models.retrieve',
  path: '/v1/models/{model}',
  fields: 'id,object',
} as const

export const modelsUsage = {
  operation: 'models.usage',
  path: '/v1/usage',
  fields: 'date,model[]',
} as const

export const modelsChat = {
  operation: 'models.chat',
  method: 'POST',
  path: '/v1/chat/completions',
  fields: 'id,object',
} as const

export const modelsRespond = {
  operation: 'models.respond',
  method: 'POST',
  path: '/v1/responses',
  fields: 'id,object',
} as const

export const modelsEmbed = {
  operation: 'models.embed',
  method: 'POST',
  path: '/v1/embeddings',
  fields: 'index,embedding[]',
} as const

export const modelsComplete = {
  operation: 'models.complete',
  method: 'POST',
  path: '/v1/completions',
  fields: 'object,model',
} as const

export const modelsModerate = {
  operation: 'models.moderate',
  method: 'POST',
  path: '/v1/moderations',
  fields: 'model,results',
} as const

export const modelsDraw = {
  operation: 'models.draw',
  method: 'POST',
  path: '/v1/images/generations',
  fields: '[]',
} as const

export const modelsTranscribe = {
  operation: 'models.transcribe',
  method: 'POST',
  path: '/v1/audio/transcriptions',
  fields: 'text,model',
} as const

export const modelsTranslate = {
  operation: 'models.translate',
  method: 'POST',
  path: '/v1/audio/translations',
  fields: 'text,model',
} as const

export const modelsCreateFile = {
  operation: 'models.createFile',
  method: 'POST',
  path: '/v1/files',
  fields: 'id',
} as const

export const modelsListFiles = {
  operation: 'models.listFiles',
  path: '/v1/files',
  fields: 'id[]',
} as const

export const modelsRetrieveFile = {
  operation: 'models.retrieveFile',
  path: '/v1/files/{file_id}',
  fields: 'id',
} as const

export const modelsReadFile = {
  operation: 'models.readFile',
  path: '/v1/files/{file_id}/content',
} as const

export const modelsRemoveFile = {
  operation: 'models.removeFile',
  method: 'DELETE',
  path: '/v1/files/{file_id}',
  fields: 'id,deleted',
} as const

export const modelsCreateBatch = {
  operation: 'models.createBatch',
  method: 'POST',
  path: '/v1/batches',
  fields: 'id',
} as const

export const modelsListBatches = {
  operation: 'models.listBatches',
  path: '/v1/batches',
  fields: 'id[]',
} as const

export const modelsRetrieveBatch = {
  operation: 'models.retrieveBatch',
  path: '/v1/batches/{stored_batch_id}',
  fields: 'id',
} as const

export const modelsCancelBatch = {
  operation: 'models.cancelBatch',
  method: 'POST',
  path: '/v1/batches/{stored_batch_id}/cancel',
  fields: 'id',
} as const

export const modelsSpeech = {
  operation: 'models.speech',
  method: 'POST',
  path: '/v1/audio/speech',
} as const

export const modelsOcr = {
  operation: 'models.ocr',
  method: 'POST',
  path: '/v1/ocr/process',
  fields: 'text,language',
} as const

export const modelsOcrDocument = {
  operation: 'models.ocrDocument',
  path: '/v1/ocr/documents/{document_id}',
  fields: 'document_id,status',
} as const

export const batchesResults = {
  operation: 'batches.results',
  path: '/v1/batch/{batch_id}/results',
} as const

export const doNotCallExportCsv = {
  operation: 'doNotCall.exportCsv',
  path: '/v1/do-not-call/csv',
} as const

export const doNotCallExportCsvForAll = {
  operation: 'doNotCall.exportCsvForAll',
  path: '/admin/do-not-call/csv',
} as const

export const synthesisSocket = {
  operation: 'synthesis.socket',
  path: '/v1/engine/stream',
  protocol: 'vaani.v1',
  keyProtocolPrefix: 'vaani.key.',
} as const

export const migrationReportPage = {
  operation: 'migration.reportPage',
  path: '/migration/report.html',
} as const

export const migrationSubmit = {
  operation: 'migration.submit',
  method: 'POST',
  path: '/migration/submissions',
  fields: 'pair_id,sampled',
} as const
