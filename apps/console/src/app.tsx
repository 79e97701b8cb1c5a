import { type ComponentType, lazy } from 'react'
import { Route, Router, Switch } from 'wouter'
import { PageHeader } from './parts/page-header.tsx'
import { Shell } from './shell.tsx'
import { SessionGate } from './sign-in/session-gate.tsx'
import { t } from './text/text.ts'

/** A page whose code is loaded when it is first opened. */
const page = <Name extends string, Props>(
  name: Name,
  load: () => Promise<Readonly<Record<Name, ComponentType<Props>>>>,
) => lazy(async () => ({ default: (await load())[name] }))

const HomePage = page('HomePage', () => import('./pages/home/home-page.tsx'))
const CallsPage = page('CallsPage', () => import('./pages/calls/calls-page.tsx'))
const PlaceCallPage = page('PlaceCallPage', () => import('./pages/calls/place-call-page.tsx'))
const CallPage = page('CallPage', () => import('./pages/calls/call-page.tsx'))
const PlaygroundPage = page('PlaygroundPage', () => import('./pages/playground/playground-page.tsx'))
const ReviewsPage = page('ReviewsPage', () => import('./pages/reviews/reviews-page.tsx'))
const ReviewPage = page('ReviewPage', () => import('./pages/reviews/review-page.tsx'))
const WebhooksPage = page('WebhooksPage', () => import('./pages/webhooks/webhooks-page.tsx'))
const CreateEndpointPage = page(
  'CreateEndpointPage',
  () => import('./pages/webhooks/create-endpoint-page.tsx'),
)
const EndpointPage = page('EndpointPage', () => import('./pages/webhooks/endpoint-page.tsx'))
const DeliveryPage = page('DeliveryPage', () => import('./pages/webhooks/delivery-page.tsx'))
const VerificationsPage = page(
  'VerificationsPage',
  () => import('./pages/verifications/verifications-page.tsx'),
)
const RequestsPage = page('RequestsPage', () => import('./pages/requests/requests-page.tsx'))
const VerificationPage = page('VerificationPage', () => import('./pages/verifications/verification-page.tsx'))
const BatchesPage = page('BatchesPage', () => import('./pages/batches/batches-page.tsx'))
const BatchPage = page('BatchPage', () => import('./pages/batches/batch-page.tsx'))
const VoicesPage = page('VoicesPage', () => import('./pages/voices/voices-page.tsx'))
const VoicePage = page('VoicePage', () => import('./pages/voices/voice-page.tsx'))
const LexiconsPage = page('LexiconsPage', () => import('./pages/lexicons/lexicons-page.tsx'))
const LexiconPage = page('LexiconPage', () => import('./pages/lexicons/lexicon-page.tsx'))
const CreateLexiconPage = page('CreateLexiconPage', () => import('./pages/lexicons/create-lexicon-page.tsx'))
const ModelsPage = page('ModelsPage', () => import('./pages/models/models-page.tsx'))
const ModelPage = page('ModelPage', () => import('./pages/models/model-page.tsx'))
const AgentsPage = page('AgentsPage', () => import('./pages/agents/agents-page.tsx'))
const AgentPage = page('AgentPage', () => import('./pages/agents/agent-page.tsx'))
const CreateAgentPage = page('CreateAgentPage', () => import('./pages/agents/create-agent-page.tsx'))
const CallerIdsPage = page('CallerIdsPage', () => import('./pages/caller-ids/caller-ids-page.tsx'))
const CallerIdPage = page('CallerIdPage', () => import('./pages/caller-ids/caller-id-page.tsx'))
const DeploymentsPage = page('DeploymentsPage', () => import('./pages/deployments/deployments-page.tsx'))
const CreateDeploymentPage = page(
  'CreateDeploymentPage',
  () => import('./pages/deployments/create-deployment-page.tsx'),
)
const DeploymentPage = page('DeploymentPage', () => import('./pages/deployments/deployment-page.tsx'))
const MigrationPage = page('MigrationPage', () => import('./pages/migration/migration-page.tsx'))
const AuditPage = page('AuditPage', () => import('./pages/audit/audit-page.tsx'))
const KeysPage = page('KeysPage', () => import('./pages/keys/keys-page.tsx'))
const CreateKeyPage = page('CreateKeyPage', () => import('./pages/keys/create-key-page.tsx'))
const KeyPage = page('KeyPage', () => import('./pages/keys/key-page.tsx'))
const MembersPage = page('MembersPage', () => import('./pages/members/members-page.tsx'))
const InvitePage = page('InvitePage', () => import('./pages/members/invite-page.tsx'))
const MemberPage = page('MemberPage', () => import('./pages/members/member-page.tsx'))

export const App = () => (
  <SessionGate>
    <Router base="/console">
      <Shell>
        <Switch>
          <Route path="/" component={HomePage} />
          <Route path="/calls" component={CallsPage} />
          <Route path="/calls/new" component={PlaceCallPage} />
          <Route path="/calls/:id">{({ id }) => <CallPage key={id} id={id} />}</Route>
          <Route path="/reviews" component={ReviewsPage} />
          <Route path="/reviews/:id">{({ id }) => <ReviewPage key={id} id={id} />}</Route>
          <Route path="/playground" component={PlaygroundPage} />
          <Route path="/webhooks" component={WebhooksPage} />
          <Route path="/webhooks/endpoints/new" component={CreateEndpointPage} />
          <Route path="/webhooks/endpoints/:id">{({ id }) => <EndpointPage key={id} id={id} />}</Route>
          <Route path="/webhooks/deliveries/:id">{({ id }) => <DeliveryPage key={id} id={id} />}</Route>
          <Route path="/verifications" component={VerificationsPage} />
          <Route path="/verifications/:id">{({ id }) => <VerificationPage key={id} id={id} />}</Route>
          <Route path="/requests" component={RequestsPage} />
          <Route path="/batches" component={BatchesPage} />
          <Route path="/batches/:id">{({ id }) => <BatchPage key={id} id={id} />}</Route>
          <Route path="/voices" component={VoicesPage} />
          <Route path="/voices/:id">{({ id }) => <VoicePage key={id} id={id} />}</Route>
          <Route path="/lexicons" component={LexiconsPage} />
          <Route path="/lexicons/new" component={CreateLexiconPage} />
          <Route path="/lexicons/:id">{({ id }) => <LexiconPage key={id} id={id} />}</Route>
          <Route path="/models" component={ModelsPage} />
          <Route path="/models/:id">{({ id }) => <ModelPage key={id} id={id} />}</Route>
          <Route path="/agents" component={AgentsPage} />
          <Route path="/agents/new" component={CreateAgentPage} />
          <Route path="/agents/:id">{({ id }) => <AgentPage key={id} id={id} />}</Route>
          <Route path="/caller-ids" component={CallerIdsPage} />
          <Route path="/caller-ids/:id">{({ id }) => <CallerIdPage key={id} id={id} />}</Route>
          <Route path="/keys" component={KeysPage} />
          <Route path="/keys/new" component={CreateKeyPage} />
          <Route path="/keys/:id">{({ id }) => <KeyPage key={id} id={id} />}</Route>
          <Route path="/deployments" component={DeploymentsPage} />
          <Route path="/deployments/new" component={CreateDeploymentPage} />
          <Route path="/deployments/:id">{({ id }) => <DeploymentPage key={id} id={id} />}</Route>
          <Route path="/migration" component={MigrationPage} />
          <Route path="/audit" component={AuditPage} />
          <Route path="/members" component={MembersPage} />
          <Route path="/members/new" component={InvitePage} />
          <Route path="/members/:id">{({ id }) => <MemberPage key={id} id={id} />}</Route>
          <Route>
            <PageHeader title={t.common.notFound} />
          </Route>
        </Switch>
      </Shell>
    </Router>
  </SessionGate>
)
