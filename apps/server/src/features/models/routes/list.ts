import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { ChatContext } from '../context.ts'
import { permittedModels } from '../rules/model-list.ts'

/** GET /v1/models */
export const listModels =
  ({ models }: Pick<ChatContext, 'models'>): Handler<Contract['models']['list']> =>
  async ({ request }) => ({
    status: 200,
    body: { object: 'list', data: permittedModels(models, principalOf(request)) },
  })
