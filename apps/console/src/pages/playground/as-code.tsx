import { CopyButton } from '../../parts/copy-button.tsx'
import { curl } from '../../parts/curl.ts'
import { t } from '../../text/text.ts'

/** The same request as a command and as TypeScript. */
export const AsCode = (props: { path: string; body: object; typescript: string; output?: string }) => {
  const { path, body, typescript, output } = props
  const command = curl(path, body) + (output === undefined ? '' : ` \\\n  --output ${output}`)
  const program = `import { Vaani } from '@vaani/client'

const vaani = new Vaani({ apiKey: process.env.KEY, baseUrl: '${location.origin}' })
${typescript}`
  return (
    <details className="json">
      <summary>{t.playground.asCode}</summary>
      <Code text={command} name="curl" />
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
