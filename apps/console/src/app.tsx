import { Route, Router, Switch } from 'wouter'
import { PageHeader } from './parts/page-header.tsx'
import { Shell } from './shell.tsx'
import { CallPage } from './pages/calls/call-page.tsx'
import { CallsPage } from './pages/calls/calls-page.tsx'
import { PlaceCallPage } from './pages/calls/place-call-page.tsx'
import { HomePage } from './pages/home/home-page.tsx'
import { SessionGate } from './session/session-context.tsx'
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
          <Route>
            <PageHeader title={t.common.notFound} />
          </Route>
        </Switch>
      </Shell>
    </Router>
  </SessionGate>
)
