import type { Agent, Id } from '@vaani/contracts'
import type { Db } from '@vaani/service-kit/database/connect'
import { toAgentRow } from './agent-rows.ts'

/** Agents of a new account, in both modes. */
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

/** Inserts the default agents of both modes. Must run in the transaction that creates the account. */
export async function insertDefaultAgents(tx: Db, accountId: Id<'account'>): Promise<void> {
  const rows = [false, true].flatMap((livemode) =>
    DEFAULT_AGENTS.map((agent) => toAgentRow({ accountId, livemode }, agent)),
  )
  await tx.insertInto('agents').values(rows).execute()
}
