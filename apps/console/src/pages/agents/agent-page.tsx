import type { Agent } from '@vaani/client'
import { useQuery } from '@tanstack/react-query'
import { CopiedId } from '../../parts/copied-id.tsx'
import { Editable } from '../../parts/editable.tsx'
import { Facts } from '../../parts/facts.tsx'
import { findIn } from '../../parts/find-in.ts'
import { JsonView } from '../../parts/json-view.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { useScope } from '../../session/session-context.ts'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { AgentForm } from './agent-form.tsx'

/** One agent: what it says, in each language, and the form that changes it. */
export function AgentPage({ id }: { id: string }) {
  const mayEdit = useScope('admin')
  const read = useQuery({
    queryKey: ['agent', id],
    queryFn: async ({ signal }) => {
      const { data } = await vaani.agents.list({ signal })
      return findIn(data, ({ agent_id }) => agent_id === id)
    },
  })
  return (
    <Loaded read={read} list={{ path: '/agents', title: t.agents.all }} title={id}>
      {(agent) => (
        <>
          <Editable
            title={agent.name}
            mayEdit={mayEdit}
            of={agent}
            form={(agent, close) => <AgentForm agent={agent} onSaved={close} onCancel={close} />}
          >
            <Words of={agent} />
          </Editable>
          <JsonView of={agent} />
        </>
      )}
    </Loaded>
  )
}

const Words = ({ of: agent }: { of: Agent }) => (
  <>
    <Facts
      of={[
        [t.common.id, <CopiedId key="id" id={agent.agent_id} />],
        [t.agents.voice, agent.voice],
        [t.agents.language, agent.language],
      ]}
    />
    <h2>{t.agents.says}</h2>
    <dl className="words">
      {Object.entries({ [agent.language]: agent.greeting, ...agent.translations }).map(
        ([language, words]) => (
          <div key={language}>
            <dt>{language}</dt>
            <dd lang={language}>{words}</dd>
          </div>
        ),
      )}
    </dl>
  </>
)
