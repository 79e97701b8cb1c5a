import { type ComponentType, lazy } from 'react'
import { Route, Router, Switch } from 'wouter'
import { PageHeader } from './parts/page-header.tsx'
import { Shell } from './shell.tsx'
import { SessionGate } from './sign-in/session-gate.tsx'
import { t } from './text/text.ts'

const BASE = '/console'

/** The pages by their paths; the first that matches is shown. */
const PAGES: Readonly<Record<string, () => Promise<ComponentType<{ id: string }>>>> = {
  '/': async () => (await import('./pages/home/home-page.tsx')).HomePage,
  '/calls': async () => (await import('./pages/calls/calls-page.tsx')).CallsPage,
  '/calls/new': async () => (await import('./pages/calls/place-call-page.tsx')).PlaceCallPage,
  '/calls/:id': async () => (await import('./pages/calls/call-page.tsx')).CallPage,
  '/reviews': async () => (await import('./pages/reviews/reviews-page.tsx')).ReviewsPage,
  '/reviews/:id': async () => (await import('./pages/reviews/review-page.tsx')).ReviewPage,
  '/playground': async () => (await import('./pages/playground/playground-page.tsx')).PlaygroundPage,
  '/webhooks': async () => (await import('./pages/webhooks/webhooks-page.tsx')).WebhooksPage,
  '/webhooks/endpoints/new': async () =>
    (await import('./pages/webhooks/create-endpoint-page.tsx')).CreateEndpointPage,
  '/webhooks/endpoints/:id': async () => (await import('./pages/webhooks/endpoint-page.tsx')).EndpointPage,
  '/webhooks/deliveries/:id': async () => (await import('./pages/webhooks/delivery-page.tsx')).DeliveryPage,
  '/verifications': async () =>
    (await import('./pages/verifications/verifications-page.tsx')).VerificationsPage,
  '/verifications/:id': async () =>
    (await import('./pages/verifications/verification-page.tsx')).VerificationPage,
  '/requests': async () => (await import('./pages/requests/requests-page.tsx')).RequestsPage,
  '/batches': async () => (await import('./pages/batches/batches-page.tsx')).BatchesPage,
  '/batches/:id': async () => (await import('./pages/batches/batch-page.tsx')).BatchPage,
  '/documents/:id': async () => (await import('./pages/documents/document-page.tsx')).DocumentPage,
  '/voices': async () => (await import('./pages/voices/voices-page.tsx')).VoicesPage,
  '/voices/:id': async () => (await import('./pages/voices/voice-page.tsx')).VoicePage,
  '/lexicons': async () => (await import('./pages/lexicons/lexicons-page.tsx')).LexiconsPage,
  '/lexicons/new': async () => (await import('./pages/lexicons/create-lexicon-page.tsx')).CreateLexiconPage,
  '/lexicons/:id': async () => (await import('./pages/lexicons/lexicon-page.tsx')).LexiconPage,
  '/models': async () => (await import('./pages/models/models-page.tsx')).ModelsPage,
  '/models/:id': async () => (await import('./pages/models/model-page.tsx')).ModelPage,
  '/agents': async () => (await import('./pages/agents/agents-page.tsx')).AgentsPage,
  '/agents/new': async () => (await import('./pages/agents/create-agent-page.tsx')).CreateAgentPage,
  '/agents/:id': async () => (await import('./pages/agents/agent-page.tsx')).AgentPage,
  '/caller-ids': async () => (await import('./pages/caller-ids/caller-ids-page.tsx')).CallerIdsPage,
  '/caller-ids/new': async () => (await import('./pages/caller-ids/start-page.tsx')).StartCallerIdPage,
  '/caller-ids/:id': async () => (await import('./pages/caller-ids/caller-id-page.tsx')).CallerIdPage,
  '/do-not-call': async () => (await import('./pages/do-not-call/do-not-call-page.tsx')).DoNotCallPage,
  '/do-not-call/new': async () => (await import('./pages/do-not-call/add-number-page.tsx')).AddNumberPage,
  '/do-not-call/import': async () =>
    (await import('./pages/do-not-call/import-numbers-page.tsx')).ImportNumbersPage,
  '/keys': async () => (await import('./pages/keys/keys-page.tsx')).KeysPage,
  '/keys/new': async () => (await import('./pages/keys/create-key-page.tsx')).CreateKeyPage,
  '/keys/:id': async () => (await import('./pages/keys/key-page.tsx')).KeyPage,
  '/limits': async () => (await import('./pages/limits/limits-page.tsx')).LimitsPage,
  '/deployments': async () => (await import('./pages/deployments/deployments-page.tsx')).DeploymentsPage,
  '/deployments/new': async () =>
    (await import('./pages/deployments/create-deployment-page.tsx')).CreateDeploymentPage,
  '/deployments/:id': async () => (await import('./pages/deployments/deployment-page.tsx')).DeploymentPage,
  '/migration': async () => (await import('./pages/migration/migration-page.tsx')).MigrationPage,
  '/migration/pairs/:id': async () => (await import('./pages/migration/pair-page.tsx')).PairPage,
  '/audit': async () => (await import('./pages/audit/audit-page.tsx')).AuditPage,
  '/members': async () => (await import('./pages/members/members-page.tsx')).MembersPage,
  '/members/new': async () => (await import('./pages/members/invite-page.tsx')).InvitePage,
  '/members/:id': async () => (await import('./pages/members/member-page.tsx')).MemberPage,
}

const here = location.pathname.slice(BASE.length) || '/'
const shown = Object.keys(PAGES).find((path) => new RegExp(`^${path.replace(':id', '[^/]+')}$`).test(here))

/** The code of a page is loaded when it is first opened; that of the address at once, while the session is read. */
const ROUTES = Object.entries(PAGES).map(([path, load]) => {
  const loading = path === shown ? load() : undefined
  // If it fails, the page says so once it is shown.
  loading?.catch(() => undefined)
  return { path, Page: lazy(async () => ({ default: await (loading ?? load()) })) }
})

export const App = () => (
  <SessionGate>
    <Router base={BASE}>
      <Shell>
        <Switch>
          {ROUTES.map(({ path, Page }) => (
            <Route<{ readonly id?: string }> key={path} path={path}>
              {({ id = '' }) => <Page key={id} id={id} />}
            </Route>
          ))}
          <Route>
            <PageHeader title={t.common.notFound} />
          </Route>
        </Switch>
      </Shell>
    </Router>
  </SessionGate>
)
