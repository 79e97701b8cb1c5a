import type { DeploymentResource } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { DeploymentRow } from './store.ts'

export const toDeployment = ({
  account_id: _,
  deployment_id,
  created_at,
  expires_at,
  revoked_at,
  ...row
}: DeploymentRow): DeploymentResource => ({
  ...row,
  deployment_id,
  status: revoked_at === null ? 'ready' : 'revoked',
  created_at: created_at.toISOString(),
  expires_at: expires_at.toISOString(),
  revoked_at: revoked_at?.toISOString() ?? null,
})

export const notFound = (): ApiError =>
  new ApiError('not_found', 'There is no such deployment in this account')
