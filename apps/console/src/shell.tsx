import { type ReactNode, Suspense, useRef } from 'react'
import { Link, useRoute } from 'wouter'
import type { Destination } from './go-to/destinations.ts'
import { GoTo } from './go-to/go-to.tsx'
import { Announcer } from './parts/announcer.tsx'
import { Explanation } from './parts/explanation.tsx'
import { Loading } from './parts/loading.tsx'
import { NotLoaded } from './parts/not-loaded.tsx'
import { useArrival } from './parts/use-arrival.ts'
import { useModeSwitch } from './session/use-mode-switch.ts'
import { useSession } from './session/session-context.ts'
import type { Session } from './session/session.ts'
import { chooseLanguage, language, languages, t } from './text/text.ts'

const PAGES = [
  { path: '/', name: t.nav.home },
  { path: '/calls', name: t.nav.calls, scope: 'calls:read' },
  { path: '/reviews', name: t.nav.reviews, scope: 'identity:review' },
  { path: '/webhooks', name: t.nav.webhooks, scope: 'admin' },
  { path: '/playground', name: t.playground.title },
]

interface PageGroup {
  name: string
  /** With the scope that a page needs, unless it has something for everybody. */
  pages: readonly (Destination & { scope?: string; isMigration?: true })[]
}

/** The ways to other pages, in groups; the first, of daily work, has no name. */
const GROUPS: readonly PageGroup[] = [
  { name: '', pages: PAGES },
  {
    name: t.groups.records,
    pages: [
      { path: '/verifications', name: t.verifications.title, scope: 'identity:read' },
      { path: '/batches', name: t.batches.title, scope: 'batch:write' },
      { path: '/requests', name: t.requests.title, scope: 'admin' },
    ],
  },
  {
    name: t.groups.speech,
    pages: [
      { path: '/voices', name: t.voices.title, scope: 'voices:write' },
      { path: '/lexicons', name: t.lexicons.title, scope: 'speech:write' },
      { path: '/models', name: t.models.title, scope: 'models:use' },
    ],
  },
  {
    name: t.groups.settings,
    pages: [
      { path: '/agents', name: t.agents.title, scope: 'calls:read' },
      { path: '/caller-ids', name: t.callerIds.title, scope: 'admin' },
      { path: '/do-not-call', name: t.doNotCall.title, scope: 'do_not_call:read' },
      { path: '/keys', name: t.keys.title, scope: 'admin' },
      { path: '/limits', name: t.limits.title },
      { path: '/deployments', name: t.deployments.title, scope: 'deploy:write' },
      { path: '/members', name: t.members.title, scope: 'admin' },
      { path: '/audit', name: t.audit.title, scope: 'admin' },
      { path: '/migration', name: t.migration.title, isMigration: true },
    ],
  },
]

/** Leaves out what the session may not see. */
const groupsFor = ({ scopes, migration }: Session): readonly PageGroup[] =>
  GROUPS.map(({ name, pages }) => ({
    name,
    pages: pages
      .filter(({ scope }) => scope === undefined || scopes.includes(scope))
      .filter(({ isMigration = false }) => !isMigration || migration),
  })).filter(({ pages }) => pages.length > 0)

/** What surrounds every page: the way to the others, whose session it is, and whether what it does is real. */
export function Shell({ children }: { children: ReactNode }) {
  const { session, leave } = useSession()
  const groups = groupsFor(session)
  const mode = useModeSwitch()
  const menu = useRef<HTMLDivElement>(null)
  const main = useRef<HTMLElement>(null)
  useArrival(main)
  return (
    <div className="shell" data-mode={session.livemode ? 'live' : 'test'}>
      <header className="bar">
        <button type="button" className="quiet menu-button" popoverTarget="menu">
          {t.nav.open}
        </button>
        <span className="name">Vaani</span>
        <GoTo pages={groups.flatMap(({ pages }) => pages)} />
        <span className={`mode ${session.livemode ? 'live' : 'test'}`}>
          {session.livemode ? t.mode.live : t.mode.test}
        </span>
      </header>
      <div ref={menu} id="menu" className="menu" popover="auto" onClick={() => menu.current?.hidePopover()}>
        <Navigation groups={groups} />
        <section className="account" aria-label={t.nav.account}>
          {session.member && (
            <p>
              <strong>{session.member.name}</strong> <span>{t.members.roles[session.member.role]}</span>
            </p>
          )}
          <code>{session.account_id}</code>
          {session.member?.in_both_modes && (
            <button type="button" className="quiet" disabled={mode.isBusy} onClick={mode.change}>
              {session.livemode ? t.members.toTest : t.members.toLive}
            </button>
          )}
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
      <main ref={main} tabIndex={-1}>
        <Announcer />
        {mode.refusal !== null && (
          <div role="alert" className="notice">
            <Explanation of={mode.refusal} />
          </div>
        )}
        <NotLoaded>
          <Suspense fallback={<Loading />}>{children}</Suspense>
        </NotLoaded>
      </main>
    </div>
  )
}

const Navigation = ({ groups }: { groups: readonly PageGroup[] }) => (
  <nav aria-label={t.nav.label}>
    {groups.map(({ name, pages }) => (
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
