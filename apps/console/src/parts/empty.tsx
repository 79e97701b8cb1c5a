import { t } from '../text/text.ts'
import { CopyButton } from './copy-button.tsx'

/** What a list will show, and the command that makes the first of it. */
export const Empty = ({ title, hint, command }: { title: string; hint: string; command?: string }) => (
  <div className="empty">
    <p>
      <strong>{title}</strong>
    </p>
    <p className="hint">{hint}</p>
    {command !== undefined && (
      <div className="command">
        <pre tabIndex={0}>{command}</pre>
        <CopyButton text={command} name={t.common.command} />
      </div>
    )}
  </div>
)
