import type { Contract } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { ChatContext } from '../context.ts'
import { permittedModels } from '../rules/model-list.ts'

/** GET /v1/models/{model} */
export const retrieveModel =
  ({ models }: Pick<ChatContext, 'models'>): Handler<Contract['models']['retrieve']> =>
  async ({ params, request }) => {
    const model = permittedModels(models, principalOf(request)).find(({ id }) => id === params.model)
    if (model === undefined)
      throw new ApiError('not_found', 'model: is not a model of this server', { param: 'model' })
    return { status: 200, body: model }
  }
