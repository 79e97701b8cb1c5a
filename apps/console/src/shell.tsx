import { type ReactNode, useRef } from 'react'
import { Link, useRoute } from 'wouter'
import { GoTo } from './go-to/go-to.tsx'
import { useSession } from './session/session-context.ts'
import { chooseLanguage, language, languages, t } from './text/text.ts'

const PAGES = [
  { path: '/', name: t.nav.home },
  { path: '/calls', name: t.nav.calls },
  { path: '/webhooks', name: t.nav.webhooks },
]

/** The ways to other pages, in groups; the first, of daily work, has no name. */
const GROUPS = [
  { name: '', pages: PAGES },
  {
    name: t.groups.records,
    pages: [
      { path: '/verifications', name: t.verifications.title },
      { path: '/batches', name: t.batches.title },
    ],
  },
  {
    name: t.groups.speech,
    pages: [
      { path: '/voices', name: t.voices.title },
      { path: '/lexicons', name: t.lexicons.title },
      { path: '/models', name: t.models.title },
    ],
  },
  {
    name: t.groups.settings,
    pages: [
      { path: '/agents', name: t.agents.title },
      { path: '/caller-ids', name: t.callerIds.title },
      { path: '/keys', name: t.keys.title },
    ],
  },
]

/** What surrounds every page: the way to the others, whose session it is, and whether what it does is real. */
export function Shell({ children }: { children: ReactNode }) {
  const { session, leave } = useSession()
  const menu = useRef<HTMLDivElement>(null)
  return (
    <div className="shell" data-mode={session.livemode ? 'live' : 'test'}>
      <header className="bar">
        <button type="button" className="quiet menu-button" popoverTarget="menu">
          {t.nav.open}
        </button>
        <span className="name">Vaani</span>
        <GoTo pages={GROUPS.flatMap(({ pages }) => pages)} />
        <span className={`mode ${session.livemode ? 'live' : 'test'}`}>
          {session.livemode ? t.mode.live : t.mode.test}
        </span>
      </header>
      <div ref={menu} id="menu" className="menu" popover="auto" onClick={() => menu.current?.hidePopover()}>
        <Navigation />
        <section className="account" aria-label={t.nav.account}>
          <code>{session.account_id}</code>
          <div className="languages">
            {languages.map(({ tag, name }) => (
              <button
                key={tag}
                type="button"
                className="quiet"
                lang={tag}
                aria-pressed={tag === language}
                onClick={() => chooseLanguage(tag)}
              >
                {name}
              </button>
            ))}
          </div>
          <button type="button" className="quiet" onClick={() => void leave({ everywhere: false })}>
            {t.signIn.out}
          </button>
          <button type="button" className="quiet" onClick={() => void leave({ everywhere: true })}>
            {t.signIn.everywhere}
          </button>
        </section>
      </div>
      <main>{children}</main>
    </div>
  )
}

const Navigation = () => (
  <nav aria-label={t.nav.label}>
    {GROUPS.map(({ name, pages }) => (
      <div key={name} className="group">
        {name !== '' && <p>{name}</p>}
        <ul aria-label={name === '' ? undefined : name}>
          {pages.map(({ path, name }) => (
            <li key={path}>
              <NavLink path={path} name={name} />
            </li>
          ))}
        </ul>
      </div>
    ))}
  </nav>
)

function NavLink({ path, name }: { path: string; name: string }) {
  const [isHere] = useRoute(path === '/' ? '/' : `${path}/*?`)
  return (
    <Link href={path} aria-current={isHere ? 'page' : undefined}>
      {name}
    </Link>
  )
}
