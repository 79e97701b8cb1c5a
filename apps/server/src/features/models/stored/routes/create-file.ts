import { type Contract, LIMITS, STORED_FILE_PARTS } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { StreamedRoute } from '@vaani/service-kit/http/body/streamed-route'
import { departureSignal } from '@vaani/service-kit/http/connection/disconnect'
import type { AnswerOf } from '@vaani/service-kit/http/ts-rest'
import type { StoredContext } from '../../context.ts'
import { receiveForm } from '../../transcription/receive-form.ts'
import { chooseUpstream, requireStored } from '../choose-upstream.ts'
import { type RenamedModel, renameRequests } from '../rename-lines.ts'
import { addWithinLimit, requireRoom } from '../room.ts'
import { withId } from '../view.ts'

/** POST /v1/files */
export function createFile(
  context: StoredContext,
): StreamedRoute<AnswerOf<Contract['models']['createFile']>> {
  const { store, upstreams } = context
  return async ({ request, reply }) => {
    requireStored(upstreams, '/v1/files')
    const principal = principalOf(request)
    let chosen: RenamedModel | undefined
    const form = await receiveForm(context, request, {
      parts: STORED_FILE_PARTS,
      maxBytes: LIMITS.batchBodyBytes,
      transform: (source) =>
        renameRequests(source, {
          choose: (model) => chooseUpstream(upstreams, model),
          onChosen: (one) => (chosen = one),
        }),
    })
    return {
      fields: Object.fromEntries(
        Object.entries(form.fields).map(([name, value]) => [name, JSON.stringify(value)]),
      ),
      files: new Map([['file', form]]),
      async act() {
        const stored = chosen && upstreams.stored.get(chosen.upstream)
        if (chosen === undefined || stored === undefined)
          throw new Error('A file was received without a model')
        await requireRoom(store, principal, 'file')
        const file = { ...form.file, name: 'requests.jsonl' }
        const sent = { method: 'POST' as const, path: 'files', fields: form.fields, file }
        const view = withId(await stored.send(sent, departureSignal(reply)))
        const { id } = view
        const row = {
          kind: 'file' as const,
          object_id: id,
          upstream: chosen.upstream,
          model: chosen.name,
          view,
        }
        await addWithinLimit(store, principal, {
          row,
          undo: (signal) => stored.send({ method: 'DELETE', path: `files/${id}` }, signal),
        })
        return { status: 200 as const, body: view }
      },
      [Symbol.asyncDispose]: () => form[Symbol.asyncDispose](),
    }
  }
}
