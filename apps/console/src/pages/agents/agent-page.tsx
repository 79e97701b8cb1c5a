import { useQuery } from '@tanstack/react-query'
import { CopiedId } from '../../parts/copied-id.tsx'
import { Facts } from '../../parts/facts.tsx'
import { findIn } from '../../parts/find-in.ts'
import { JsonView } from '../../parts/json-view.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'

/** One agent: what it says, in each language. */
export function AgentPage({ id }: { id: string }) {
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
          <PageHeader title={agent.name} />
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
          <JsonView of={agent} />
        </>
      )}
    </Loaded>
  )
}
