import { Once } from '../../parts/once.tsx'
import { t } from '../../text/text.ts'

/** A secret that is shown once, and a receiver that verifies what it signs. */
export const NewSecret = ({ secret }: { secret: string }) => (
  <Once hint={t.webhooks.secretOnce} secret={secret}>
    <p>{t.webhooks.verify}</p>
    <pre tabIndex={0}>{SNIPPET}</pre>
  </Once>
)

const SNIPPET = `import { createVerifier } from '@vaani/webhook-verifier'

const verifier = createVerifier({ secrets: { current: process.env.WEBHOOK_SECRET } })

// with the raw body and the headers of a request
const result = await verifier.verify(body, headers)
if (result.ok) console.log(result.event.type)
else console.error(result.code) // answer 400`
