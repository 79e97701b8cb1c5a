import type { Services } from '@vaani/service-kit/service/services'
import { defineFeature, handle } from '@vaani/service-kit/service/define-feature'
import type { AccountAuthenticator } from '../../tenancy/authenticator.ts'
import type { MembersPort } from '../members/port.ts'
import type { MigrationPort } from '../migration/port.ts'
import type { WebhooksPort } from '../webhooks/port.ts'
import { createPages, mountPages } from './assets/mount-pages.ts'
import { createPageAudit } from './audit-pages.ts'
import type { ConsoleContext } from './context.ts'
import { consoleRoutes } from './contract.ts'
import { CONSOLE_PATH, readCookie } from './cookie.ts'
import { EventStreams } from './events/event-streams.ts'
import { createLinkStore } from './link-store.ts'
import { type ConsoleMetrics, declareConsoleMetrics } from './metrics.ts'
import * as consoleSessions from './migrations/0045-console-sessions.ts'
import type { ConsolePort } from './port.ts'
import { requireOwnPage, requireSameKey } from './require-own-page.ts'
import { beginOidc } from './routes/begin-oidc.ts'
import { beginPasskey } from './routes/begin-passkey.ts'
import { mountEvents } from './routes/follow-events.ts'
import { mountOidcCallback } from './routes/finish-oidc.ts'
import { readSession } from './routes/read-session.ts'
import { signIn } from './routes/sign-in.ts'
import { signOut } from './routes/sign-out.ts'
import { switchMode } from './routes/switch-mode.ts'
import { createSessionStore } from './session-store.ts'

type Needs = Pick<Services, 'clock' | 'database' | 'log' | 'makeId' | 'stopping'> & {
  authenticator: AccountAuthenticator
  members: MembersPort
  migration: MigrationPort
  webhooks: WebhooksPort
  metrics: ConsoleMetrics
}

/** The console: its pages, its sessions, and the routes of the contract as its pages call them. */
export const consoleFeature = defineFeature({
  name: 'console',
  contract: {},
  migrations: { '0045-console-sessions': consoleSessions },
  metrics: declareConsoleMetrics,
  async start({ authenticator, members, migration, webhooks, ...needs }: Needs) {
    const store = createSessionStore(needs)
    const links = createLinkStore(needs)
    const sessions = authenticator.acceptOthers((secret) => store.find(secret))
    authenticator.servePages({
      ...sessions,
      prefix: `${CONSOLE_PATH}/api`,
      read(request) {
        requireOwnPage(request)
        return readCookie(request)
      },
      check: requireSameKey,
      note: createPageAudit(needs),
    })
    const streams = new EventStreams({ ...needs, store, feed: webhooks.feed })
    const context: ConsoleContext = { authenticator, sessions, store, links, streams, members, migration }
    const pages = createPages(needs)
    const port: ConsolePort = {
      createLink: () => links.create(),
      prepare: () => void pages.current(),
    }
    return {
      mounts: [
        handle(consoleRoutes, {
          signIn: signIn(context),
          beginPasskey: beginPasskey(context),
          beginOidc: beginOidc(context),
          switchMode: switchMode(context),
          read: readSession(context),
          signOut: signOut(context),
        }),
        mountOidcCallback(context),
        mountEvents(context),
        mountPages(pages),
      ],
      port,
      sweeps: { 'sessions of the console': () => store.sweep(), 'links to the console': () => links.sweep() },
    }
  },
})
