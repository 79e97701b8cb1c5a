import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { curl } from '../../parts/curl.ts'
import { Problem } from '../../parts/problem.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { AsCode } from './as-code.tsx'
import { Choice } from '../../parts/choice.tsx'

type Message = { role: 'user'; content: string } | { role: 'assistant'; content: string }

/** A chat with one of the models, whose answer appears as it is written. */
export function Chat() {
  const { messages, error, isAnswering, ask, stop } = useChat()
  const [model, setModel] = useState<string>()
  const models = useQuery({
    queryKey: ['models'],
    queryFn: async ({ signal }) => (await vaani.models.list({ signal })).data,
  })
  const names = models.data?.map(({ id }) => id) ?? []
  const chosen = model ?? names[0] ?? ''
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const content = String(new FormData(form).get('message') ?? '').trim()
    if (content === '' || isAnswering) return
    void ask(chosen, content)
    form.reset()
  }
  return (
    <>
      <form
        className="fields"
        onChange={({ currentTarget }) => setModel(String(new FormData(currentTarget).get('model')))}
      >
        <Choice name="model" label={t.playground.model} options={names} />
      </form>
      {models.error && <Problem error={models.error} onRetry={() => void models.refetch()} />}
      <ol className="chat" aria-live="polite" aria-busy={isAnswering}>
        {messages.map(({ role, content }, index) => (
          <li key={index} className={role}>
            <p className="hint">{t.playground.roles[role]}</p>
            <p className="said">{content}</p>
          </li>
        ))}
      </ol>
      {error && <Problem error={error} />}
      <form className="fields wide" onSubmit={submit}>
        <div className="field">
          <label htmlFor="message">{t.playground.message}</label>
          <input id="message" name="message" autoComplete="off" required />
        </div>
        <div className="line">
          <button type="submit" className="primary" disabled={isAnswering || chosen === ''}>
            {t.playground.send}
          </button>
          <button type="button" disabled={!isAnswering} onClick={stop}>
            {t.playground.stop}
          </button>
        </div>
      </form>
      <AsCode
        command={curl('/v1/chat/completions', {
          model: chosen,
          messages: messages.length > 0 ? messages : [{ role: 'user', content: 'Hello' }],
        })}
        typescript={`for await (const { choices } of vaani.chat.stream({ model: '${chosen}', messages }))
  process.stdout.write(choices[0]?.delta.content ?? '')`}
      />
    </>
  )
}

function useChat() {
  const [messages, setMessages] = useState<readonly Message[]>([])
  const [error, setError] = useState<Error>()
  const [isAnswering, setAnswering] = useState(false)
  const running = useRef<AbortController>(null)
  const stop = () => running.current?.abort()
  useEffect(() => stop, [])

  async function ask(model: string, content: string): Promise<void> {
    const { signal } = (running.current = new AbortController())
    const asked: Message[] = [...messages, { role: 'user', content }]
    let answer = ''
    setError(undefined)
    setMessages(asked)
    setAnswering(true)
    try {
      for await (const { choices } of vaani.chat.stream({ model, messages: asked }, { signal })) {
        answer += choices[0]?.delta.content ?? ''
        setMessages([...asked, { role: 'assistant', content: answer }])
      }
    } catch (problem) {
      if (!signal.aborted && problem instanceof Error) setError(problem)
    } finally {
      setAnswering(false)
    }
  }
  return { messages, error, isAnswering, ask, stop }
}
