import { BATCH_ENDPOINTS, type BatchEndpoint, contract, type Scope } from '@vaani/contracts'

const ROUTES = [
  contract.models.chat,
  contract.models.respond,
  contract.models.complete,
  contract.models.embed,
  contract.models.moderate,
  contract.models.speech,
  contract.synthesis.synthesize,
  contract.models.ocr,
]

function scopeOf(endpoint: BatchEndpoint): Scope {
  const scope = ROUTES.find(({ path }) => path === endpoint)?.metadata.scope
  if (!scope) throw new Error(`${endpoint} needs no scope`)
  return scope
}

/** The scope that each endpoint needs. */
export const SCOPES = Object.fromEntries(
  BATCH_ENDPOINTS.map((endpoint) => [endpoint, scopeOf(endpoint)]),
) as Readonly<Record<BatchEndpoint, Scope>>
