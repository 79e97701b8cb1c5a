import { contract, type ErrorCode } from '@vaani/contracts'
import type { CheckName, CheckState, MigrationCheck } from '@vaani/contracts/migration'
import type { CallbackSettings } from '../../../callback-settings.ts'
import type { ShadowSettings } from '../../../settings.ts'
import type { Deployment } from '../rules/schedules.ts'
import { type CallbackCheckOptions, checkCallbacks } from './check-callbacks.ts'
import type { Deployments } from './deployments.ts'
import type { DeploymentClient } from './deployment-client.ts'
import type { Probe, ProbeResult } from './probe.ts'

type Settings = Pick<ShadowSettings, 'primaryUrl' | 'candidateUrl' | 'primaryApiKey' | 'candidateApiKey'> &
  Pick<CallbackSettings, 'callbackBaseUrl' | 'callbackSecrets'>

/** The submission that each deployment gets. An empty one is refused after its key was checked. */
const SUBMISSIONS = { primary: contract.identity.submitV1.path, candidate: contract.identity.submitV2.path }
/** Unlike that of an id that nobody knows. */
const NO_SUCH_ROUTE: ErrorCode = 'not_found'
const UNKNOWN_ID = 'ver_check'
const READ_PATH = contract.identity.retrieve.path.replace(/:\w+/, UNKNOWN_ID)

/** Looks at everything that a migration needs, without any traffic. What it submits is erased. */
export async function checkDeployments(
  options: Pick<CallbackCheckOptions, 'awaited' | 'callBack'> & {
    settings: Settings
    clients: Deployments['clients']
  },
): Promise<MigrationCheck[]> {
  const { settings, clients } = options
  const [primary, candidate] = await Promise.all([
    checkDeployment('primary', clients.primary, settings),
    checkDeployment('candidate', clients.candidate, settings),
  ])
  return [
    primary.answers,
    candidate.answers,
    primary.key,
    candidate.key,
    judgeDecisions(primary, candidate, settings),
    candidate.isKeyAccepted
      ? await checkCallbacks({ ...options, client: clients.candidate })
      : checkOf(
          'callbacks',
          'skipped',
          'Not tried, because the candidate does not accept the key. See candidate_key.',
        ),
  ]
}

/** Returns why the candidate refuses the key of the migration; null if it accepts it or does not answer. */
export async function findRefusedCredential(
  client: DeploymentClient,
  apiKey: string,
): Promise<string | null> {
  const read = await client.probe({ method: 'GET', path: READ_PATH, apiKey })
  return describeRefusal('candidate', read)
}

const checkOf = (name: CheckName, state: CheckState, message: string): MigrationCheck => ({
  name,
  state,
  message,
})

interface DeploymentChecks {
  answers: MigrationCheck
  key: MigrationCheck
  isKeyAccepted: boolean
}

async function checkDeployment(
  deployment: Deployment,
  client: DeploymentClient,
  settings: Settings,
): Promise<DeploymentChecks> {
  const apiKey = settings[`${deployment}ApiKey`]
  const { host } = settings[`${deployment}Url`]
  const ask = (probe: Pick<Probe, 'method' | 'path'>) => client.probe({ ...probe, apiKey })
  const read = await ask({ method: 'GET', path: READ_PATH })
  const silence = describeSilence(deployment, host, read)
  const keyName: CheckName = `${deployment}_key`
  if (silence !== null)
    return {
      answers: checkOf(`${deployment}_answers`, 'failed', silence),
      key: checkOf(keyName, 'skipped', `Not tried, because the ${deployment} does not answer as it should.`),
      isKeyAccepted: false,
    }
  const answers = checkOf(`${deployment}_answers`, 'passed', `${host} answers.`)
  if (apiKey === undefined)
    return {
      answers,
      key: checkOf(keyName, 'skipped', `${KEYS[deployment]} is not set.`),
      isKeyAccepted: false,
    }
  const refusal =
    describeRefusal(deployment, read) ??
    describeRefusal(deployment, await ask({ method: 'POST', path: SUBMISSIONS[deployment] }))
  const problem = refusal ?? describeSharedAccount(deployment, settings)
  return {
    answers,
    key:
      problem === null
        ? checkOf(keyName, 'passed', `The ${deployment} accepts ${KEYS[deployment]}.`)
        : checkOf(keyName, 'failed', problem),
    isKeyAccepted: refusal === null,
  }
}

const KEYS: Readonly<Record<Deployment, string>> = {
  primary: 'VAANI_SHADOW_PRIMARY_API_KEY',
  candidate: 'VAANI_SHADOW_CANDIDATE_API_KEY',
}
const URLS: Readonly<Record<Deployment, string>> = {
  primary: 'VAANI_SHADOW_PRIMARY_URL',
  candidate: 'VAANI_SHADOW_CANDIDATE_URL',
}

function describeSilence(deployment: Deployment, host: string, read: ProbeResult): string | null {
  if (read.status === null)
    return `${host} does not answer (${read.cause}). Start the ${deployment}, or correct ${URLS[deployment]}.`
  if (read.status >= 500)
    return `${host} answers with ${read.status}. Look into the log of the ${deployment}; it must be well before it is compared.`
  if (read.errorCode === null || read.errorCode === NO_SUCH_ROUTE)
    return `${host} answers with ${read.status}, but not as the contract says. Does ${URLS[deployment]} name the ${deployment}?`
  return null
}

function describeRefusal(deployment: Deployment, answer: ProbeResult): string | null {
  if (answer.status === 401)
    return `The ${deployment} refuses ${KEYS[deployment]} (401). Set a key that is valid there, and restart.`
  if (answer.status === 403)
    return `${KEYS[deployment]} may not do what the migration does (403). Give it the scopes identity:read and identity:write at the ${deployment}.`
  return null
}

/** Two keys of one account at one deployment cannot be told from those of two accounts, but one key can. */
function describeSharedAccount(
  deployment: Deployment,
  { primaryUrl, candidateUrl, primaryApiKey, candidateApiKey }: Settings,
): string | null {
  const isShared = primaryUrl.origin === candidateUrl.origin && primaryApiKey === candidateApiKey
  if (!isShared || deployment === 'primary') return null
  return `${KEYS.candidate} is ${KEYS.primary}, the key of the callers: the shadow would use their quotas, and their history and webhooks would have its verifications. Set the key of an account that only the migration uses.`
}

function judgeDecisions(
  primary: DeploymentChecks,
  candidate: DeploymentChecks,
  { callbackSecrets }: Settings,
): MigrationCheck {
  if (!candidate.isKeyAccepted)
    return checkOf('decisions', 'failed', 'Decisions of the candidate cannot be read. See candidate_key.')
  if (primary.isKeyAccepted)
    return checkOf('decisions', 'passed', 'Decisions of both deployments can be read.')
  if (callbackSecrets.primary.length > 0)
    return checkOf(
      'decisions',
      'passed',
      'Decisions of the candidate can be read; the primary sends its own.',
    )
  return checkOf(
    'decisions',
    'failed',
    `Decisions of the primary cannot be learned. Set ${KEYS.primary} to a valid key, or register the worker there and set VAANI_SHADOW_PRIMARY_WEBHOOK_SECRET.`,
  )
}
