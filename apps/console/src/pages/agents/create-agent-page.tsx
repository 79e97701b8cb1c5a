import { Link, useLocation } from 'wouter'
import { PageHeader } from '../../parts/page-header.tsx'
import { t } from '../../text/text.ts'
import { AgentForm } from './agent-form.tsx'

/** Creates an agent, and opens it. */
export function CreateAgentPage() {
  const [, navigate] = useLocation()
  return (
    <>
      <p className="back">
        <Link href="/agents">{t.agents.all}</Link>
      </p>
      <PageHeader title={t.agents.create} />
      <AgentForm
        agent={null}
        onSaved={({ agent_id }) => navigate(`/agents/${agent_id}`)}
        onCancel={() => navigate('/agents')}
      />
    </>
  )
}
