import { Route, Router, Switch } from 'wouter'
import { PageHeader } from './parts/page-header.tsx'
import { Shell } from './shell.tsx'
import { CallPage } from './pages/calls/call-page.tsx'
import { CallsPage } from './pages/calls/calls-page.tsx'
import { PlaceCallPage } from './pages/calls/place-call-page.tsx'
import { HomePage } from './pages/home/home-page.tsx'
import { CreateEndpointPage } from './pages/webhooks/create-endpoint-page.tsx'
import { DeliveryPage } from './pages/webhooks/delivery-page.tsx'
import { EndpointPage } from './pages/webhooks/endpoint-page.tsx'
import { WebhooksPage } from './pages/webhooks/webhooks-page.tsx'
import { SessionGate } from './sign-in/session-gate.tsx'
import { t } from './text/text.ts'

export const App = () => (
  <SessionGate>
    <Router base="/console">
      <Shell>
        <Switch>
          <Route path="/" component={HomePage} />
          <Route path="/calls" component={CallsPage} />
          <Route path="/calls/new" component={PlaceCallPage} />
          <Route path="/calls/:id">{({ id }) => <CallPage key={id} id={id} />}</Route>
          <Route path="/webhooks" component={WebhooksPage} />
          <Route path="/webhooks/endpoints/new" component={CreateEndpointPage} />
          <Route path="/webhooks/endpoints/:id">{({ id }) => <EndpointPage key={id} id={id} />}</Route>
          <Route path="/webhooks/deliveries/:id">{({ id }) => <DeliveryPage key={id} id={id} />}</Route>
          <Route>
            <PageHeader title={t.common.notFound} />
          </Route>
        </Switch>
      </Shell>
    </Router>
  </SessionGate>
)
