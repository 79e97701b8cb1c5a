import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { departureSignal } from '@vaani/service-kit/http/connection/disconnect'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { FastifyReply } from 'fastify'
import type { StoredContext } from '../../context.ts'
import { followBatch } from '../follow-batch.ts'
import { addWithinLimit, requireRoom } from '../room.ts'
import { requireObject } from '../require-object.ts'
import type { StoredRow } from '../store.ts'
import { orNotFound, upstreamOf } from '../upstream-of.ts'
import { withId } from '../view.ts'

type Routes = Contract['models']

const param = 'stored_batch_id'

/** POST /v1/batches */
export const createBatch =
  (context: StoredContext): Handler<Routes['createBatch']> =>
  async ({ body, request, reply }) => {
    const { store, upstreams } = context
    const principal = principalOf(request)
    const { upstream, model } = await requireObject(context, request, {
      kind: 'file',
      id: body.input_file_id,
      param: 'input_file_id',
      path: '/v1/batches',
    })
    await requireRoom(store, principal, 'batch')
    // Its results will be files.
    await requireRoom(store, principal, 'file')
    const sent = { method: 'POST' as const, path: 'batches', fields: body }
    const stored = upstreamOf(upstreams, { upstream })
    const view = withId(await orNotFound(stored.send(sent, departureSignal(reply)), 'input_file_id'))
    const { id } = view
    await addWithinLimit(store, principal, {
      row: { kind: 'batch', object_id: id, upstream, model, view },
      undo: (signal) => stored.send({ method: 'POST', path: `batches/${id}/cancel` }, signal),
    })
    return { status: 200, body: view }
  }

/** GET /v1/batches/{stored_batch_id} */
export const retrieveBatch =
  (context: StoredContext): Handler<Routes['retrieveBatch']> =>
  async ({ params: { stored_batch_id: id }, request, reply }) => {
    const row = await requireObject(context, request, { kind: 'batch', id, param })
    if (row.ended_at !== null) return { status: 200, body: row.view }
    return ask(context, { row, reply, method: 'GET', path: `batches/${id}` })
  }

/** POST /v1/batches/{stored_batch_id}/cancel */
export const cancelBatch =
  (context: StoredContext): Handler<Routes['cancelBatch']> =>
  async ({ params: { stored_batch_id: id }, request, reply }) => {
    const row = await requireObject(context, request, { kind: 'batch', id, param })
    return ask(context, { row, reply, method: 'POST', path: `batches/${id}/cancel` })
  }

async function ask(
  context: StoredContext,
  options: { row: StoredRow; reply: FastifyReply; method: 'GET' | 'POST'; path: string },
) {
  const { row, reply, method, path } = options
  const signal = departureSignal(reply)
  const view = withId(
    await orNotFound(upstreamOf(context.upstreams, row).send({ method, path }, signal), param),
  )
  await followBatch(context, row, view, signal)
  return { status: 200 as const, body: view }
}
