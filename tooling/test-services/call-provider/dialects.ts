import type { PeerProvider } from './accounts.ts'
import type { PeerDialect } from './peer-dialect.ts'
import { telnyx, twilio } from './twilio-dialects.ts'
import { vonage } from './vonage-dialect.ts'

/** What differs between the providers. */
export const DIALECTS: Readonly<Record<PeerProvider, PeerDialect>> = { twilio, telnyx, vonage }
