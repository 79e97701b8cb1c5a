// Written by `pnpm --filter @vaani/client generate` from the contracts; not to be edited.

export const callsPlace = {
  operation: 'calls.place',
  method: 'POST',
  path: '/agent/calls',
  fields: 'call_id status',
} as const

export const callsRetrieve = {
  operation: 'calls.retrieve',
  path: '/agent/calls/{call_id}',
  fields: 'call_id status',
} as const

export const callsList = {
  operation: 'calls.list',
  path: '/agent/calls',
  entry: 'call_id status',
} as const

export const callsCancel = {
  operation: 'calls.cancel',
  method: 'POST',
  path: '/agent/calls/{call_id}/cancel',
  fields: 'call_id status',
} as const

export const callsRecording = {
  operation: 'calls.recording',
  path: '/agent/calls/{call_id}/recording',
} as const

export const callsRemoveRecording = {
  operation: 'calls.removeRecording',
  method: 'DELETE',
  path: '/agent/calls/{call_id}/recording',
} as const

export const agentsList = {
  operation: 'agents.list',
  path: '/agent/agents',
  entry: 'agent_id name',
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
  entry: 'language quality',
} as const

export const synthesisClone = {
  operation: 'synthesis.clone',
  method: 'POST',
  path: '/v1/engine/clone',
  fields: 'voice_id livemode',
} as const

export const voicesClone = {
  operation: 'voices.clone',
  method: 'POST',
  path: '/v1/audio/clone',
  fields: 'voice_id livemode',
} as const

export const voicesList = {
  operation: 'voices.list',
  path: '/v1/voices',
  entry: 'voice_id livemode',
} as const

export const voicesRemove = {
  operation: 'voices.remove',
  method: 'DELETE',
  path: '/v1/voices/{voice_id}',
} as const

export const identitySubmitV1 = {
  operation: 'identity.submitV1',
  method: 'POST',
  path: '/identity/kyc/v1',
  fields: 'verification_id decision',
} as const

export const identitySubmitV2 = {
  operation: 'identity.submitV2',
  method: 'POST',
  path: '/identity/kyc/v2',
  fields: 'verification_id decision',
} as const

export const identityRetrieve = {
  operation: 'identity.retrieve',
  path: '/identity/verifications/{verification_id}',
  fields: 'verification_id decision',
} as const

export const identityList = {
  operation: 'identity.list',
  path: '/identity/verifications',
  entry: 'verification_id decision',
} as const

export const identityReview = {
  operation: 'identity.review',
  method: 'POST',
  path: '/identity/verifications/{verification_id}/review',
  fields: 'verification_id decision',
} as const

export const identityReconsider = {
  operation: 'identity.reconsider',
  method: 'POST',
  path: '/identity/verifications/{verification_id}/reconsider',
  fields: 'verification_id decision',
} as const

export const identityRemoveMedia = {
  operation: 'identity.removeMedia',
  method: 'DELETE',
  path: '/identity/verifications/{verification_id}/media',
} as const

export const identitySubject = {
  operation: 'identity.subject',
  path: '/identity/subjects/{external_id}',
  entry: 'verification_id decision',
} as const

export const modelsChat = {
  operation: 'models.chat',
  method: 'POST',
  path: '/v1/chat/completions',
  fields: 'id object',
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
  fields: 'text language',
} as const

export const batchesCreate = {
  operation: 'batches.create',
  method: 'POST',
  path: '/v1/batch',
  fields: 'batch_id status',
} as const

export const batchesRetrieve = {
  operation: 'batches.retrieve',
  path: '/v1/batch/{batch_id}',
  fields: 'batch_id status',
} as const

export const batchesList = {
  operation: 'batches.list',
  path: '/v1/batch',
  entry: 'batch_id status',
} as const

export const batchesResults = {
  operation: 'batches.results',
  path: '/v1/batch/{batch_id}/results',
} as const

export const batchesCancel = {
  operation: 'batches.cancel',
  method: 'POST',
  path: '/v1/batch/{batch_id}/cancel',
  fields: 'batch_id status',
} as const

export const deploymentsCreate = {
  operation: 'deployments.create',
  method: 'POST',
  path: '/enterprise/deploy',
  fields: 'deployment_id status',
} as const

export const webhooksCreateEndpoint = {
  operation: 'webhooks.createEndpoint',
  method: 'POST',
  path: '/webhooks/endpoints',
  fields: 'endpoint_id url',
} as const

export const webhooksListEndpoints = {
  operation: 'webhooks.listEndpoints',
  path: '/webhooks/endpoints',
  entry: 'endpoint_id url',
} as const

export const webhooksRetrieveEndpoint = {
  operation: 'webhooks.retrieveEndpoint',
  path: '/webhooks/endpoints/{endpoint_id}',
  fields: 'endpoint_id url',
} as const

export const webhooksUpdateEndpoint = {
  operation: 'webhooks.updateEndpoint',
  method: 'PATCH',
  path: '/webhooks/endpoints/{endpoint_id}',
  retry: 'refused',
  fields: 'endpoint_id url',
} as const

export const webhooksDeleteEndpoint = {
  operation: 'webhooks.deleteEndpoint',
  method: 'DELETE',
  path: '/webhooks/endpoints/{endpoint_id}',
} as const

export const webhooksRotateSecret = {
  operation: 'webhooks.rotateSecret',
  method: 'POST',
  path: '/webhooks/endpoints/{endpoint_id}/rotate-secret',
  fields: 'secret previous_secret_until',
} as const

export const webhooksRotateAccountSecret = {
  operation: 'webhooks.rotateAccountSecret',
  method: 'POST',
  path: '/webhooks/rotate-secret',
  fields: 'secret previous_secret_until',
} as const

export const webhooksSendTestEvent = {
  operation: 'webhooks.sendTestEvent',
  method: 'POST',
  path: '/webhooks/endpoints/{endpoint_id}/test',
  fields: 'delivery_id event_id',
} as const

export const webhooksListDeliveries = {
  operation: 'webhooks.listDeliveries',
  path: '/webhooks/deliveries',
  entry: 'delivery_id event_id',
} as const

export const webhooksRetrieveDelivery = {
  operation: 'webhooks.retrieveDelivery',
  path: '/webhooks/deliveries/{delivery_id}',
  fields: 'delivery_id event_id',
} as const

export const webhooksResend = {
  operation: 'webhooks.resend',
  method: 'POST',
  path: '/webhooks/deliveries/{delivery_id}/resend',
  fields: 'delivery_id event_id',
} as const

export const webhooksRecover = {
  operation: 'webhooks.recover',
  method: 'POST',
  path: '/webhooks/deliveries/recover',
  fields: 'resent',
} as const

export const adminCreateAccount = {
  operation: 'admin.createAccount',
  method: 'POST',
  path: '/admin/accounts',
  fields: 'account_id name',
} as const

export const adminListAccounts = {
  operation: 'admin.listAccounts',
  path: '/admin/accounts',
  entry: 'account_id name',
} as const

export const adminUpdateAccount = {
  operation: 'admin.updateAccount',
  method: 'PATCH',
  path: '/admin/accounts/{account_id}',
  retry: 'refused',
  fields: 'account_id name',
} as const

export const adminCreateKey = {
  operation: 'admin.createKey',
  method: 'POST',
  path: '/admin/keys',
  fields: 'key_id account_id',
} as const

export const adminListKeys = {
  operation: 'admin.listKeys',
  path: '/admin/keys',
  entry: 'key_id account_id',
} as const

export const adminRevokeKey = {
  operation: 'admin.revokeKey',
  method: 'DELETE',
  path: '/admin/keys/{key_id}',
  fields: 'key_id account_id',
} as const

export const adminAddCallerId = {
  operation: 'admin.addCallerId',
  method: 'POST',
  path: '/admin/caller-ids',
  fields: 'caller_id_id account_id',
} as const

export const adminListCallerIds = {
  operation: 'admin.listCallerIds',
  path: '/admin/caller-ids',
  entry: 'caller_id_id account_id',
} as const

export const adminRemoveCallerId = {
  operation: 'admin.removeCallerId',
  method: 'DELETE',
  path: '/admin/caller-ids/{caller_id_id}',
} as const

export const adminUpsertAgent = {
  operation: 'admin.upsertAgent',
  method: 'PUT',
  path: '/admin/agents/{agent_id}',
  fields: 'agent_id name',
} as const

export const systemHealth = {
  operation: 'system.health',
  path: '/healthz',
  fields: 'status',
} as const

export const systemReady = {
  operation: 'system.ready',
  path: '/readyz',
  fields: 'status checks',
} as const

export const systemOpenapi = {
  operation: 'system.openapi',
  path: '/openapi.json',
  fields: '',
} as const

export const synthesisSocket = {
  operation: 'synthesis.socket',
  path: '/v1/engine/stream',
  protocol: 'vaani.v1',
  keyProtocolPrefix: 'vaani.key.',
} as const
