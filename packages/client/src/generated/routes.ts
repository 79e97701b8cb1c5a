// Written by `pnpm --filter @vaani/client generate` from the contracts; not to be edited.

export const callsPlace = {
  operation: 'calls.place',
  method: 'POST',
  path: '/agent/calls',
} as const

export const callsRetrieve = {
  operation: 'calls.retrieve',
  method: 'GET',
  path: '/agent/calls/{call_id}',
} as const

export const callsList = {
  operation: 'calls.list',
  method: 'GET',
  path: '/agent/calls',
} as const

export const callsCancel = {
  operation: 'calls.cancel',
  method: 'POST',
  path: '/agent/calls/{call_id}/cancel',
} as const

export const callsRecording = {
  operation: 'calls.recording',
  method: 'GET',
  path: '/agent/calls/{call_id}/recording',
} as const

export const callsRemoveRecording = {
  operation: 'calls.removeRecording',
  method: 'DELETE',
  path: '/agent/calls/{call_id}/recording',
} as const

export const agentsList = {
  operation: 'agents.list',
  method: 'GET',
  path: '/agent/agents',
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
  method: 'GET',
  path: '/v1/engine/languages',
} as const

export const synthesisClone = {
  operation: 'synthesis.clone',
  method: 'POST',
  path: '/v1/engine/clone',
} as const

export const voicesClone = {
  operation: 'voices.clone',
  method: 'POST',
  path: '/v1/audio/clone',
} as const

export const voicesList = {
  operation: 'voices.list',
  method: 'GET',
  path: '/v1/voices',
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
} as const

export const identitySubmitV2 = {
  operation: 'identity.submitV2',
  method: 'POST',
  path: '/identity/kyc/v2',
} as const

export const identityRetrieve = {
  operation: 'identity.retrieve',
  method: 'GET',
  path: '/identity/verifications/{verification_id}',
} as const

export const identityList = {
  operation: 'identity.list',
  method: 'GET',
  path: '/identity/verifications',
} as const

export const identityReview = {
  operation: 'identity.review',
  method: 'POST',
  path: '/identity/verifications/{verification_id}/review',
} as const

export const identityReconsider = {
  operation: 'identity.reconsider',
  method: 'POST',
  path: '/identity/verifications/{verification_id}/reconsider',
} as const

export const identityRemoveMedia = {
  operation: 'identity.removeMedia',
  method: 'DELETE',
  path: '/identity/verifications/{verification_id}/media',
} as const

export const identitySubject = {
  operation: 'identity.subject',
  method: 'GET',
  path: '/identity/subjects/{external_id}',
} as const

export const modelsChat = {
  operation: 'models.chat',
  method: 'POST',
  path: '/v1/chat/completions',
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
} as const

export const batchesCreate = {
  operation: 'batches.create',
  method: 'POST',
  path: '/v1/batch',
} as const

export const batchesRetrieve = {
  operation: 'batches.retrieve',
  method: 'GET',
  path: '/v1/batch/{batch_id}',
} as const

export const batchesList = {
  operation: 'batches.list',
  method: 'GET',
  path: '/v1/batch',
} as const

export const batchesResults = {
  operation: 'batches.results',
  method: 'GET',
  path: '/v1/batch/{batch_id}/results',
} as const

export const batchesCancel = {
  operation: 'batches.cancel',
  method: 'POST',
  path: '/v1/batch/{batch_id}/cancel',
} as const

export const deploymentsCreate = {
  operation: 'deployments.create',
  method: 'POST',
  path: '/enterprise/deploy',
} as const

export const webhooksCreateEndpoint = {
  operation: 'webhooks.createEndpoint',
  method: 'POST',
  path: '/webhooks/endpoints',
} as const

export const webhooksListEndpoints = {
  operation: 'webhooks.listEndpoints',
  method: 'GET',
  path: '/webhooks/endpoints',
} as const

export const webhooksRetrieveEndpoint = {
  operation: 'webhooks.retrieveEndpoint',
  method: 'GET',
  path: '/webhooks/endpoints/{endpoint_id}',
} as const

export const webhooksUpdateEndpoint = {
  operation: 'webhooks.updateEndpoint',
  method: 'PATCH',
  path: '/webhooks/endpoints/{endpoint_id}',
  retry: 'refused',
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
} as const

export const webhooksRotateAccountSecret = {
  operation: 'webhooks.rotateAccountSecret',
  method: 'POST',
  path: '/webhooks/rotate-secret',
} as const

export const webhooksSendTestEvent = {
  operation: 'webhooks.sendTestEvent',
  method: 'POST',
  path: '/webhooks/endpoints/{endpoint_id}/test',
} as const

export const webhooksListDeliveries = {
  operation: 'webhooks.listDeliveries',
  method: 'GET',
  path: '/webhooks/deliveries',
} as const

export const webhooksRetrieveDelivery = {
  operation: 'webhooks.retrieveDelivery',
  method: 'GET',
  path: '/webhooks/deliveries/{delivery_id}',
} as const

export const webhooksResend = {
  operation: 'webhooks.resend',
  method: 'POST',
  path: '/webhooks/deliveries/{delivery_id}/resend',
} as const

export const webhooksRecover = {
  operation: 'webhooks.recover',
  method: 'POST',
  path: '/webhooks/deliveries/recover',
} as const

export const adminCreateAccount = {
  operation: 'admin.createAccount',
  method: 'POST',
  path: '/admin/accounts',
} as const

export const adminListAccounts = {
  operation: 'admin.listAccounts',
  method: 'GET',
  path: '/admin/accounts',
} as const

export const adminUpdateAccount = {
  operation: 'admin.updateAccount',
  method: 'PATCH',
  path: '/admin/accounts/{account_id}',
  retry: 'refused',
} as const

export const adminCreateKey = {
  operation: 'admin.createKey',
  method: 'POST',
  path: '/admin/keys',
} as const

export const adminListKeys = {
  operation: 'admin.listKeys',
  method: 'GET',
  path: '/admin/keys',
} as const

export const adminRevokeKey = {
  operation: 'admin.revokeKey',
  method: 'DELETE',
  path: '/admin/keys/{key_id}',
} as const

export const adminAddCallerId = {
  operation: 'admin.addCallerId',
  method: 'POST',
  path: '/admin/caller-ids',
} as const

export const adminListCallerIds = {
  operation: 'admin.listCallerIds',
  method: 'GET',
  path: '/admin/caller-ids',
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
} as const

export const systemHealth = {
  operation: 'system.health',
  method: 'GET',
  path: '/healthz',
} as const

export const systemReady = {
  operation: 'system.ready',
  method: 'GET',
  path: '/readyz',
} as const

export const systemOpenapi = {
  operation: 'system.openapi',
  method: 'GET',
  path: '/openapi.json',
} as const

export const synthesisSocket = {
  operation: 'synthesis.socket',
  method: 'GET',
  path: '/v1/engine/stream',
  protocol: 'vaani.v1',
  keyProtocolPrefix: 'vaani.key.',
} as const
