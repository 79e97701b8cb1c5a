import type { Contract } from '@vaani/contracts'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { ChatContext } from '../context.ts'

/** GET /v1/models */
export const listModels =
  ({ models }: Pick<ChatContext, 'models'>): Handler<Contract['models']['list']> =>
  async () => ({ status: 200, body: { object: 'list', data: [...models] } })
