import type { InvitedMember } from '@vaani/client'
import { Once } from '../../parts/once.tsx'
import { hasPasskeysByName, passkeyOrigin } from '../../session/passkeys.ts'
import { t } from '../../text/text.ts'

/** The link by which a member joins, once. It leads to where passkeys work, if there is such a place. */
export const InvitationOnce = ({ of: { name, invitation } }: { of: InvitedMember }) => (
  <Once hint={t.members.once(name)} secret={`${passkeyOrigin}/console/#invitation=${invitation}`}>
    <p className="hint">
      {hasPasskeysByName ? t.members.worksAt(new URL(passkeyOrigin).hostname) : t.passkeys.none}
    </p>
  </Once>
)
