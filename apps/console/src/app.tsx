import { type ComponentType, lazy, Suspense } from 'react'
import { Route, Router, Switch } from 'wouter'
import { Loading } from './parts/loading.tsx'
import { NotLoaded } from './parts/not-loaded.tsx'
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
const VerificationPage = page('VerificationPage', () => import('./pages/verifications/verification-page.tsx'))

export const App = () => (
  <SessionGate>
    <Router base="/console">
      <Shell>
        <NotLoaded>
          <Suspense fallback={<Loading />}>
            <Switch>
              <Route path="/" component={HomePage} />
              <Route path="/calls" component={CallsPage} />
              <Route path="/calls/new" component={PlaceCallPage} />
              <Route path="/calls/:id">{({ id }) => <CallPage key={id} id={id} />}</Route>
              <Route path="/webhooks" component={WebhooksPage} />
              <Route path="/webhooks/endpoints/new" component={CreateEndpointPage} />
              <Route path="/webhooks/endpoints/:id">{({ id }) => <EndpointPage key={id} id={id} />}</Route>
              <Route path="/webhooks/deliveries/:id">{({ id }) => <DeliveryPage key={id} id={id} />}</Route>
              <Route path="/verifications" component={VerificationsPage} />
              <Route path="/verifications/:id">{({ id }) => <VerificationPage key={id} id={id} />}</Route>
              <Route>
                <PageHeader title={t.common.notFound} />
              </Route>
            </Switch>
          </Suspense>
        </NotLoaded>
      </Shell>
    </Router>
  </SessionGate>
)
