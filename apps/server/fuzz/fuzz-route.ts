import type { DocumentedRoute } from '@vaani/contracts/openapi'
import fc from 'fast-check'
import { casesOf, type FuzzCase } from './fuzz-case.ts'
import { type Finding, judge } from './judge.ts'
import { predict, type SentCase } from './predict.ts'
import { createLine, type Line, type Outcome, prepare } from './send-case.ts'
import { toBytes, toShell } from './wire-request.ts'
import type { World } from './world.ts'

/** A finding with the information to reproduce it. */
export interface ShownFinding extends Finding {
  seed: number
  /** A shell command that sends the smallest request that reproduces it. */
  shell: string
}

export interface RouteReport {
  operation: string
  sent: number
  statuses: ReadonlyMap<string, number>
  findings: readonly ShownFinding[]
}

export interface FuzzRouteOptions {
  world: World
  route: DocumentedRoute
  /** Methods that the route's path supports. */
  mounted: ReadonlySet<string>
  count: number
  seed: number
}

const LINES = 16
const MAX_PIPELINED = 4
const MAX_FINDINGS = 5
const SHRINK_MS = 20_000

/** Sends `count` requests to a route and judges each response. The same seed makes the same requests. */
export async function fuzzRoute(options: FuzzRouteOptions): Promise<RouteReport> {
  const { world, route, mounted, count, seed } = options
  const { operation } = route.metadata
  const cases = casesOf(route, mounted)
  const statuses = new Map<string, number>()
  const found = new Map<string, { finding: Finding; seed: number }>()
  let next = 0

  async function work(line: Line): Promise<void> {
    while (next < count) {
      const size = Math.min(pipelined(seed, next), count - next)
      const seeds = Array.from({ length: size }, (_, index) => seedOf(seed, operation, next + index))
      next += size
      const sent = await Promise.all(seeds.map((one) => prepare(world, route, draw(cases, one))))
      const outcomes = await line.exchange(sent.map(({ wire }) => wire))
      for (const [index, one] of sent.entries()) {
        const outcome = outcomes[index] ?? 'closed'
        const name = nameOf(outcome)
        statuses.set(name, (statuses.get(name) ?? 0) + 1)
        const finding = findingOf(one, outcome, mounted)
        if (finding !== null && !found.has(finding.kind))
          found.set(finding.kind, { finding, seed: seeds[index] ?? seed })
      }
    }
  }

  const lines = Array.from({ length: LINES }, () => createLine(world.server.url))
  try {
    await Promise.all(lines.map(work))
  } finally {
    for (const line of lines) line[Symbol.dispose]()
  }
  const findings: ShownFinding[] = []
  for (const { finding, seed: one } of [...found.values()].slice(0, MAX_FINDINGS))
    findings.push({ ...finding, seed: one, shell: await shrink(options, cases, finding, one) })
  return { operation, sent: count, statuses, findings }
}

const draw = (cases: fc.Arbitrary<FuzzCase>, seed: number): FuzzCase => {
  const [drawn] = fc.sample(cases, { seed, numRuns: 1 })
  if (drawn === undefined) throw new Error('Nothing was drawn')
  return drawn
}

/** Picks how many requests to pipeline; most are sent alone. */
const pipelined = (seed: number, index: number): number =>
  Math.imul(seed + index, 0x9e3779b1) >>> 29 === 0 ? MAX_PIPELINED : 1

/** Derives a seed for each request, so that it can be reproduced without the requests before it. */
function seedOf(seed: number, operation: string, index: number): number {
  let hash = Math.imul(seed ^ 0x811c9dc5, 0x01000193) + index
  for (const character of operation) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193)
  return hash | 0
}

const nameOf = (outcome: Outcome): string =>
  typeof outcome === 'string' ? outcome : outcome instanceof Error ? 'unreadable' : String(outcome.status)

function findingOf(sent: SentCase, outcome: Outcome, mounted: ReadonlySet<string>): Finding | null {
  const { operation } = sent.route.metadata
  if (typeof outcome === 'string') return { kind: `${operation}: ${outcome}`, detail: 'No response' }
  if (outcome instanceof Error) return { kind: `${operation}: cannot be read`, detail: outcome.message }
  return judge(sent, outcome, predict(sent, mounted))
}

/** Searches for the smallest request with the same finding, sending each on its own connection. */
async function shrink(
  { world, route, mounted }: FuzzRouteOptions,
  cases: fc.Arbitrary<FuzzCase>,
  { kind }: Finding,
  seed: number,
): Promise<string> {
  let smallest = await prepare(world, route, draw(cases, seed))
  const property = fc.asyncProperty(cases, async (request) => {
    using line = createLine(world.server.url)
    const sent = await prepare(world, route, request)
    const [outcome = 'closed'] = await line.exchange([sent.wire])
    if (findingOf(sent, outcome, mounted)?.kind !== kind) return true
    smallest = sent
    return false
  })
  await fc.check(property, { seed, numRuns: 1, interruptAfterTimeLimit: SHRINK_MS })
  return toShell(toBytes(smallest.wire), world.server.url)
}
