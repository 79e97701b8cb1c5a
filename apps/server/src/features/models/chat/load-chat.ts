import { readFile } from 'node:fs/promises'
import path from 'node:path'
import {
  ChatOptionsError,
  type ChatRouterEvent,
  createChatRouter,
  createUpstream,
  type RoutingProvider,
  type StoredObjects,
  type Upstream,
} from '@vaani/chat'
import { ConfigError } from '@vaani/service-kit/settings/define-settings'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { ModelEvent } from '../events.ts'
import type { ModelSettings } from '../settings.ts'
import { readUpstreamsFile, type UpstreamEntry, UPSTREAMS_VARIABLE } from './upstreams-file.ts'

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

/** Loads the servers of the operator's file; null without one. @throws ConfigError that names what is wrong with it */
export async function loadChat({ settings, events }: Needs): Promise<Upstreams | null> {
  const { chatUpstreamsFile: file } = settings
  if (file === undefined) return null
  const { upstreams, models } = await readUpstreamsFile(file)
  const providers: Record<string, Upstream> = {}
  try {
    for (const [name, entry] of Object.entries(upstreams)) {
      const apiKey = await readKey(name, entry, { file, settings })
      providers[name] = explain(`upstreams.${name}`, () => createUpstream({ ...entry.options, apiKey }))
    }
    const chat = explain('', () =>
      createChatRouter({ providers, models, onEvent: (event) => record(event, events) }),
    )
    return { chat, stored: new Map(Object.entries(providers).map(([name, { stored }]) => [name, stored])) }
  } catch (error) {
    await Promise.all(Object.values(providers).map((provider) => provider.close()))
    throw error
  }
}

async function readKey(
  name: string,
  { keyVariable, keyFile }: UpstreamEntry,
  { file, settings }: { file: string; settings: ModelSettings },
): Promise<string | undefined> {
  if (keyVariable !== undefined) {
    const key = settings.readChatKey(keyVariable)
    if (key === undefined || key === '')
      throw new ConfigError(
        `${keyVariable} is not set, but upstreams.${name} of ${UPSTREAMS_VARIABLE} uses it`,
      )
    return key
  }
  if (keyFile === undefined) return undefined
  const key = await readFile(path.resolve(path.dirname(file), keyFile), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      throw new ConfigError(
        `${UPSTREAMS_VARIABLE} upstreams.${name}.api_key_file cannot be read (${error.code})`,
      )
    },
  )
  return key.trim()
}

/** Turns an invalid option into an error that names the member of the file. */
function explain<Value>(member: string, create: () => Value): Value {
  try {
    return create()
  } catch (error) {
    if (!(error instanceof ChatOptionsError)) throw error
    const { field, message } = error
    const own = OWN_NAMES[field] ?? field.replace(/\bprovider(s?)\b/g, 'upstream$1')
    const place =
      member === '' ? own : `${member}.${own.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`
    throw new ConfigError(`${UPSTREAMS_VARIABLE} ${place}${message.slice(field.length)}`)
  }
}

/** Options whose name in the file differs in more than its case. */
const OWN_NAMES: Readonly<Record<string, string>> = { apiKey: 'key' }

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
