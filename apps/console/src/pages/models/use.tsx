import { useQuery } from '@tanstack/react-query'
import type { ModelUsage } from '@vaani/client'
import { curl } from '../../parts/curl.ts'
import { Empty } from '../../parts/empty.tsx'
import { List } from '../../parts/list.tsx'
import type { Column } from '../../parts/table.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'

const COLUMNS: readonly Column<ModelUsage>[] = [
  { name: t.models.day, cell: ({ date }) => date },
  { name: t.models.model, cell: ({ model }) => model },
  { name: t.models.requests, isNumber: true, cell: ({ requests }) => requests },
  { name: t.models.prompt, isNumber: true, cell: ({ prompt_tokens }) => prompt_tokens },
  {
    name: t.models.completion,
    isNumber: true,
    cell: ({ completion_tokens }) => completion_tokens,
  },
  { name: t.models.tokens, isNumber: true, cell: ({ total_tokens }) => total_tokens },
]

/** What was used of the models by day in UTC, newest first; of one model, or of all. */
export const Use = ({ model, from }: { model?: string; from?: string }) => {
  const filter = { ...(model && { model }), ...(from && { from }) }
  return (
    <List
      label={t.models.use}
      columns={COLUMNS}
      idOf={({ date, model }) => `${date} ${model}`}
      queryKey={['usage', filter]}
      read={(page, options) => vaani.models.usage({ ...page, ...filter }, options)}
      empty={model || from ? <p className="hint">{t.models.noUse}</p> : <NoUse />}
    />
  )
}

function NoUse() {
  const models = useQuery({
    queryKey: ['models', 'all'],
    queryFn: ({ signal }) => vaani.models.list({ signal }),
  })
  // Those that chat come first.
  const model = models.data?.data[0]?.id
  const chat = model && curl('/v1/chat/completions', { model, messages: [{ role: 'user', content: 'नमस्ते' }] })
  return <Empty title={t.models.noUse} hint={t.models.noUseHint} {...(chat && { command: chat })} />
}
