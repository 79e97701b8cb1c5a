import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from './api-error.ts'

/**
 * Tracks mounted routes, to distinguish a wrong method from an unknown path.
 *
 * @param notServed what to say at paths that are not served, by their beginning
 */
export function trackRoutes(
  app: FastifyInstance,
  notServed: Readonly<Record<string, string>>,
): (request: FastifyRequest) => { error: ApiError; allow: string | null } {
  const methodsByPattern = new Map<string, { pattern: RegExp; methods: Set<string> }>()
  app.addHook('onRoute', ({ url, method, config }) => {
    // A method that only requests an upgrade is not supported otherwise.
    if (config?.socket) return
    const entry = methodsByPattern.get(url) ?? { pattern: toPattern(url), methods: new Set() }
    for (const one of [method].flat()) entry.methods.add(one)
    methodsByPattern.set(url, entry)
  })
  return (request) => {
    // Decode like the router: `/%61gent` is `/agent`.
    const path = decodeURI(request.url.split('?', 1)[0] ?? '')
    const methods = new Set(
      [...methodsByPattern.values()]
        .filter(({ pattern }) => pattern.test(path))
        .flatMap((entry) => [...entry.methods]),
    )
    if (methods.size === 0) {
      const [, hint] = Object.entries(notServed).find(([start]) => `${path}/`.startsWith(`${start}/`)) ?? []
      const message = hint === undefined ? 'There is no such route' : `There is no such route: ${hint}`
      return { error: new ApiError('not_found', message), allow: null }
    }
    const allow = [...methods].toSorted().join(', ')
    return { error: new ApiError('method_not_allowed', `This path accepts only ${allow}`), allow }
  }
}

const toPattern = (url: string): RegExp =>
  new RegExp(`^${url.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replace(/:[A-Za-z_]+/g, '[^/]+')}$`)
