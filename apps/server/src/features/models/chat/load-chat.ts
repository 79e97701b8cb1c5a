import { readFile } from 'node:fs/promises'
import path from 'node:path'
import {
  type ChatRouterEvent,
  createChatRouter,
  createUpstream,
  type RoutingProvider,
  type StoredObjects,
  type Upstream,
  type UpstreamOptions,
} from '@vaani/chat'
import { ConfigError } from '@vaani/service-kit/settings/define-settings'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { ModelEvent } from '../events.ts'
import type { ModelSettings } from '../settings.ts'
import { problemsOf, problemsOfOptions } from './explain-options.ts'
import {
  readUpstreamsFile,
  type UpstreamEntry,
  type UpstreamsFile,
  UPSTREAMS_VARIABLE,
} from './upstreams-file.ts'

interface Needs {
  settings: ModelSettings
  events: Events<ModelEvent>
}

/** Servers that keep files and batches. */
export interface KeepingUpstreams {
  chat: Pick<RoutingProvider, 'endpoints' | 'preferred'>
  /** What each of them keeps, by its name. */
  stored: ReadonlyMap<string, StoredObjects>
}

/** The servers of the operator's file. */
export interface Upstreams extends KeepingUpstreams {
  chat: RoutingProvider
}

/** Loads the servers of the operator's file; null without one. @throws ConfigError that names all that is wrong with it */
export async function loadChat({ settings, events }: Needs): Promise<Upstreams | null> {
  const { chatUpstreamsFile: file } = settings
  if (file === undefined) return null
  const { upstreams, models } = await readUpstreamsFile(file)
  const providers: Record<string, Upstream> = {}
  const problems: string[] = []
  for (const [name, entry] of Object.entries(upstreams))
    try {
      const apiKey = await readKey(name, entry, { file, settings })
      providers[name] = createUpstream({ ...entry.options, apiKey })
    } catch (error) {
      if (error instanceof ConfigError)
        problems.push(error.message, ...problemsOfOptions(`upstreams.${name}`, entry.options))
      else problems.push(...problemsOf(`upstreams.${name}`, error))
      providers[name] = createUpstream(withModelsOf(models))
    }
  const chat = createTable({ providers, models, events, problems })
  if (chat !== undefined && problems.length === 0)
    return { chat, stored: new Map(Object.entries(providers).map(([name, { stored }]) => [name, stored])) }
  await Promise.all(Object.values(providers).map((provider) => provider.close()))
  throw new ConfigError(`${UPSTREAMS_VARIABLE} ${problems.join('; ')}`)
}

/** Creates what chooses an upstream for each model, or adds what is wrong with the table to `problems`. */
function createTable(options: {
  providers: Record<string, Upstream>
  models: UpstreamsFile['models']
  events: Events<ModelEvent>
  problems: string[]
}): RoutingProvider | undefined {
  const { providers, models, events, problems } = options
  try {
    return createChatRouter({ providers, models, onEvent: (event) => record(event, events) })
  } catch (error) {
    problems.push(...problemsOf('', error))
    return undefined
  }
}

/** Options in the place of those that are wrong, with all models, so that only what is wrong is named. */
const withModelsOf = (models: UpstreamsFile['models'] = {}): UpstreamOptions => ({
  baseUrl: 'http://127.0.0.1',
  models: [
    'any',
    ...Object.entries(models).flatMap(([name, targets]) => targets.map(({ model = name }) => model)),
  ],
})

async function readKey(
  name: string,
  { keyVariable, keyFile }: UpstreamEntry,
  { file, settings }: { file: string; settings: ModelSettings },
): Promise<string | undefined> {
  if (keyVariable !== undefined) {
    const key = settings.readChatKey(keyVariable)
    if (key === undefined || key === '')
      throw new ConfigError(`${keyVariable} is not set, but upstreams.${name} uses it`)
    return key
  }
  if (keyFile === undefined) return undefined
  const key = await readFile(path.resolve(path.dirname(file), keyFile), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      throw new ConfigError(`upstreams.${name}.api_key_file cannot be read (${error.code})`)
    },
  )
  return key.trim()
}

/** Checks the file, and what it names, without using it. @throws ConfigError like `loadChat` */
export async function checkChat(settings: ModelSettings): Promise<void> {
  const upstreams = await loadChat({ settings, events: { record: () => undefined } })
  await upstreams?.chat.close()
}

function record(event: ChatRouterEvent, events: Events<ModelEvent>): void {
  const { provider: upstream } = event
  switch (event.type) {
    case 'failed': {
      const { code, message } = event.error
      const state = event.isHeard ? 'during_answer' : 'before_answer'
      return events.record('upstream_failed', { upstream, code, reason: message, state })
    }
    case 'resting':
      return events.record('upstream_resting', {
        upstream,
        ...(event.model !== undefined && { model: event.model }),
        duration_ms: Math.round(event.restMs),
      })
    case 'recovered':
      return events.record('upstream_recovered', {
        upstream,
        ...(event.model !== undefined && { model: event.model }),
      })
  }
}
