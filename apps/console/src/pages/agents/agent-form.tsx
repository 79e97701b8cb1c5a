import type { Agent, UpsertAgentRequest } from '@vaani/client'
import { useQueryClient } from '@tanstack/react-query'
import { Field } from '../../parts/field.tsx'
import { Problem } from '../../parts/problem.tsx'
import { problemBeside, problemOf } from '../../parts/problem-of.ts'
import { SavedForm } from '../../parts/saved-form.tsx'
import { readTextRows, TextRows } from '../../parts/text-rows.tsx'
import { vaani } from '../../session/session.ts'
import { PageError } from '../../text/page-error.ts'
import { t } from '../../text/text.ts'

const FIELDS = ['agent_id', 'name', 'language', 'voice', 'greeting', 'translations']
const ROWS = ['tag', 'words'] as const

interface Asked {
  id: string
  agent: UpsertAgentRequest
  /** Languages of the translations, in the order of the rows. */
  tags: readonly string[]
}

/** Creates an agent, or replaces one. */
export function AgentForm(props: {
  agent: Agent | null
  onSaved: (agent: Agent) => void
  onCancel: () => void
}) {
  const { agent, onSaved, onCancel } = props
  const queries = useQueryClient()
  async function save({ id, agent: asked, tags }: Asked): Promise<Agent> {
    if (new Set(tags).size < tags.length) throw new PageError(t.agents.twice)
    // The route would replace it.
    if (agent === null && (await vaani.agents.list()).data.some(({ agent_id }) => agent_id === id))
      throw new PageError(t.agents.taken(id))
    return vaani.admin.upsertAgent(id, asked)
  }
  return (
    <SavedForm
      replaced={agent?.agent_id ?? null}
      read={(form) => readAgent(form, agent?.agent_id)}
      save={save}
      onSaved={(saved) => {
        void queries.invalidateQueries({ queryKey: ['agents'] })
        queries.setQueryData(['agent', saved.agent_id], saved)
        onSaved(saved)
      }}
      onCancel={onCancel}
    >
      {({ error, variables }) => <Fields agent={agent} error={error} asked={variables} />}
    </SavedForm>
  )
}

function Fields(props: { agent: Agent | null; error: Error | null; asked: Asked | undefined }) {
  const { agent, error, asked } = props
  const problem = problemBeside(error, FIELDS)
  return (
    <>
      {agent === null && (
        <Field name="agent_id" label={t.agents.id} required problem={problemOf(error, 'agent_id')} />
      )}
      <Field
        name="name"
        label={t.agents.name}
        initial={agent?.name}
        required
        problem={problemOf(error, 'name')}
      />
      <Field
        name="voice"
        label={t.agents.voice}
        initial={agent?.voice ?? 'nova'}
        required
        problem={problemOf(error, 'voice')}
      />
      <Field
        name="language"
        label={t.agents.language}
        initial={agent?.language ?? 'en-US'}
        required
        problem={problemOf(error, 'language')}
      />
      <Field
        name="greeting"
        label={t.agents.greeting}
        initial={agent?.greeting}
        isLong
        required
        problem={problemOf(error, 'greeting')}
      />
      <TextRows
        legend={t.agents.translations}
        names={ROWS}
        labels={[t.agents.language, t.agents.says]}
        initial={Object.entries(agent?.translations ?? {})}
        isSecondLong
        problemOf={(index) => {
          const tag = asked?.tags[index]
          return tag === undefined ? undefined : problemOf(error, `translations.${tag}`)
        }}
      />
      {problem && <Problem error={problem} />}
    </>
  )
}

function readAgent(form: FormData, agentId?: string): Asked {
  const text = (name: string) => String(form.get(name) ?? '').trim()
  const translations = readTextRows(form, ROWS)
  return {
    id: agentId ?? text('agent_id'),
    agent: {
      name: text('name'),
      voice: text('voice'),
      language: text('language'),
      greeting: text('greeting'),
      translations: Object.fromEntries(translations),
    },
    tags: translations.map(([tag]) => tag),
  }
}
