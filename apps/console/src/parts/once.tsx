import type { ReactNode } from 'react'
import { CopiedId } from './copied-id.tsx'

/** A secret that is shown once, and what to do with it. */
export const Once = ({ hint, secret, children }: { hint: string; secret: string; children?: ReactNode }) => (
  <div className="secret" role="status">
    <p>
      <strong>{hint}</strong>
    </p>
    <CopiedId id={secret} />
    {children}
  </div>
)
