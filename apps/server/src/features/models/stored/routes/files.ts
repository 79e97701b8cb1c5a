import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { departureSignal } from '@vaani/service-kit/http/connection/disconnect'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { resume } from '@vaani/service-kit/resume'
import { streamToReceiver } from '@vaani/service-kit/http/connection/stream-to-receiver'
import type { StoredContext } from '../../context.ts'
import { renameResults } from '../rename-lines.ts'
import { requireObject } from '../require-object.ts'
import { isGone, orNotFound, upstreamOf } from '../upstream-of.ts'

type Routes = Contract['models']

const param = 'file_id'
const BUFFERED_BYTES = 64 * 1024
/** A receiver that reads nothing for this long is dropped. */
const IDLE_MS = 30_000
const LIMIT_MS = 3_600_000

/** GET /v1/files/{file_id} */
export const retrieveFile =
  (context: StoredContext): Handler<Routes['retrieveFile']> =>
  async ({ params: { file_id: id }, request }) => {
    const { view } = await requireObject(context, request, { kind: 'file', id, param })
    return { status: 200, body: view }
  }

/** GET /v1/files/{file_id}/content */
export const readFile =
  (context: StoredContext): Handler<Routes['readFile']> =>
  async ({ params: { file_id: id }, request, reply }) => {
    const row = await requireObject(context, request, { kind: 'file', id, param })
    const bytes = upstreamOf(context.upstreams, row).read(`files/${id}/content`, departureSignal(reply))
    const lines = renameResults(bytes, row.model)
    const first = lines.next()
    // A fault before the first line is still an error response.
    await orNotFound(first, param)
    const body = streamToReceiver(resume(first, lines), {
      bufferedBytes: BUFFERED_BYTES,
      idleMs: IDLE_MS,
      limitMs: LIMIT_MS,
      onStuck: () => reply.raw.destroy(),
    })
    reply.header('content-type', 'application/x-ndjson')
    return { status: 200, body }
  }

/** DELETE /v1/files/{file_id} */
export const removeFile =
  (context: StoredContext): Handler<Routes['removeFile']> =>
  async ({ params: { file_id: id }, request, reply }) => {
    const row = await requireObject(context, request, { kind: 'file', id, param })
    const sent = { method: 'DELETE' as const, path: `files/${id}` }
    try {
      await upstreamOf(context.upstreams, row).send(sent, departureSignal(reply))
    } catch (error) {
      if (!isGone(error)) throw error
    }
    await context.store.remove(principalOf(request), 'file', id)
    return { status: 200, body: { id, object: 'file', deleted: true } }
  }
