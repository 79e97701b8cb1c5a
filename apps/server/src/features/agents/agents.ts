import type { Agent, Contract } from '@vaani/contracts'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { Tenant } from '@vaani/service-kit/tenant'
import type { Insertable, Selectable } from 'kysely'
import type { AppContext } from '../../context.ts'
import type { AgentTable } from '../../database/schema.ts'
import { principalOf } from '@vaani/service-kit/http/authorize'

/** The agents of a new account. */
export const DEFAULT_AGENTS: readonly Omit<Agent, 'livemode'>[] = [
  {
    agent_id: 'reminder',
    name: 'Appointment reminder',
    language: 'ne-NP',
    voice: 'nova',
    greeting: 'नमस्ते {{name|हजुर}}। यो तपाईंको भेटघाटको सम्झना गराउन गरिएको कल हो। धन्यवाद, शुभ दिन।',
    translations: {
      'en-US':
        'Hello {{name|there}}. This is a call to remind you of your appointment. Thank you, and have a good day.',
      'hi-IN': 'नमस्ते {{name|जी}}। यह कॉल आपकी मुलाक़ात याद दिलाने के लिए है। धन्यवाद, आपका दिन शुभ हो।',
    },
  },
  {
    agent_id: 'support',
    name: 'Support',
    language: 'ne-NP',
    voice: 'atlas',
    greeting: 'नमस्ते {{name|हजुर}}। तपाईंको अनुरोध हामीले पाएका छौं। हाम्रो टोली छिट्टै सम्पर्क गर्नेछ। धन्यवाद।',
    translations: {
      'en-US':
        'Hello {{name|there}}. We have received your request, and our team will be in touch soon. Thank you.',
      'hi-IN': 'नमस्ते {{name|जी}}। हमें आपका अनुरोध मिल गया है। हमारी टीम जल्द ही संपर्क करेगी। धन्यवाद।',
    },
  },
]

export function toAgentRow(
  { accountId, livemode }: Tenant,
  agent: Omit<Agent, 'livemode'>,
): Insertable<AgentTable> {
  return { ...agent, account_id: accountId, livemode, translations: JSON.stringify(agent.translations) }
}

export function toAgent({ account_id: _, ...row }: Selectable<AgentTable>): Agent {
  return row
}

/** GET /agent/agents */
export function listAgents(context: AppContext): Handler<Contract['agents']['list']> {
  return async ({ request }) => {
    const { accountId, livemode } = principalOf(request)
    const rows = await context.database
      .selectFrom('agents')
      .where('account_id', '=', accountId)
      .where('livemode', '=', livemode)
      .selectAll()
      .orderBy('agent_id')
      .execute()
    return { status: 200, body: { data: rows.map(toAgent) } }
  }
}
