import { CopyButton } from '../../parts/copy-button.tsx'
import { t } from '../../text/text.ts'

/** The same request as a command, if one command can make it, and as TypeScript. */
export function AsCode({ command, typescript }: { command?: string; typescript: string }) {
  const program = `import { Vaani } from '@vaani/client'

const vaani = new Vaani({ apiKey: process.env.KEY, baseUrl: '${location.origin}' })
${typescript}`
  return (
    <details className="json">
      <summary>{t.playground.asCode}</summary>
      {command !== undefined && <Code text={command} name="curl" />}
      <Code text={program} name="TypeScript" />
    </details>
  )
}

const Code = ({ text, name }: { text: string; name: string }) => (
  <div className="command">
    <pre tabIndex={0} aria-label={name}>
      {text}
    </pre>
    <CopyButton text={text} name={name} />
  </div>
)
