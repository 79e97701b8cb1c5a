import type { DeploymentTarget } from '@vaani/contracts'

/** What a manifest contains. The license, key and password are secret. */
export interface ManifestValues {
  name: string
  replicas: number
  image: string
  license: string
  /** Public key of the issuer. */
  issuerKey: string
  revocationsUrl: string | undefined
  /** `VAANI_ENCRYPTION_KEY` of the new server. */
  encryptionKey: string
  /** Of the database that several servers share. */
  databasePassword: string
}

/** A JSON value: one document of YAML. */
export type ManifestDocument = Readonly<Record<string, unknown>>

const PORT = 8080
const DATA = '/var/lib/vaani'
/** User `node` of the image. */
const USER_ID = 1000
/** Longer than `VAANI_SHUTDOWN_GRACE_SECONDS`, so that a process is not killed while it ends its work. */
const STOP_SECONDS = 60
const DATABASE_IMAGE = 'postgres:18-alpine'
const DATABASE = { user: 'vaani', name: 'vaani', port: 5432, data: '/var/lib/postgresql' } as const

/** Makes the documents of a manifest. One server has its own database; several share one. */
export const makeManifest = (target: DeploymentTarget, values: ManifestValues): readonly ManifestDocument[] =>
  MAKERS[target](values)

const MAKERS = { docker: makeCompose, kubernetes: makeKubernetes } as const satisfies Record<
  DeploymentTarget,
  (values: ManifestValues) => readonly ManifestDocument[]
>

const isShared = ({ replicas }: ManifestValues): boolean => replicas > 1

const databaseUrl = (host: string, { databasePassword }: ManifestValues): string =>
  `postgres://${DATABASE.user}:${databasePassword}@${host}:${DATABASE.port}/${DATABASE.name}`

const plainVariables = ({ issuerKey, revocationsUrl }: ManifestValues): Record<string, string> => ({
  HOST: '0.0.0.0',
  PORT: String(PORT),
  VAANI_DATA_DIR: DATA,
  VAANI_LICENSE_ISSUER_KEY: issuerKey,
  ...(revocationsUrl !== undefined && { VAANI_LICENSE_REVOCATIONS_URL: revocationsUrl }),
})

const secretVariables = (values: ManifestValues, databaseHost: string): Record<string, string> => ({
  VAANI_LICENSE: values.license,
  VAANI_ENCRYPTION_KEY: values.encryptionKey,
  ...(isShared(values) && { DATABASE_URL: databaseUrl(databaseHost, values) }),
})

/** https://compose-spec.io */
function makeCompose(values: ManifestValues): readonly ManifestDocument[] {
  const { name, replicas, image, databasePassword } = values
  const environment = { ...plainVariables(values), ...secretVariables(values, 'postgres') }
  const lastPort = PORT + replicas - 1
  const server = {
    image,
    restart: 'unless-stopped',
    environment: literalVariables(environment),
    ports: [replicas === 1 ? `${PORT}:${PORT}` : `${PORT}-${lastPort}:${PORT}`],
    volumes: [`data:${DATA}`],
    deploy: { replicas },
    ...(isShared(values) && { depends_on: { postgres: { condition: 'service_healthy' } } }),
    read_only: true,
    tmpfs: ['/tmp'],
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    stop_grace_period: `${STOP_SECONDS}s`,
    healthcheck: {
      test: ['CMD', 'node', '--eval', HEALTH_PROBE],
      interval: '10s',
      timeout: '5s',
      retries: 3,
      start_period: '90s',
    },
  }
  const postgres = {
    image: DATABASE_IMAGE,
    restart: 'unless-stopped',
    environment: {
      POSTGRES_USER: DATABASE.user,
      POSTGRES_PASSWORD: databasePassword,
      POSTGRES_DB: DATABASE.name,
    },
    volumes: [`postgres:${DATABASE.data}`],
    healthcheck: {
      test: [
        'CMD',
        'pg_isready',
        '--host=127.0.0.1',
        `--username=${DATABASE.user}`,
        `--dbname=${DATABASE.name}`,
      ],
      interval: '2s',
      timeout: '5s',
      retries: 30,
    },
  }
  return [
    {
      services: { [`vaani-${name}`]: server, ...(isShared(values) && { postgres }) },
      volumes: { data: {}, ...(isShared(values) && { postgres: {} }) },
    },
  ]
}

/** Fails unless the server is ready. The image contains Node but perhaps no curl. */
const HEALTH_PROBE = `fetch('http://127.0.0.1:${PORT}/readyz').then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))`

/** Compose replaces `$NAME` in values; a doubled `$` stands for itself. */
const literalVariables = (variables: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, value.replaceAll('$', '$$$$')]))

/** The container of a pod. */
function describeServer(values: ManifestValues, name: string) {
  const probe = (path: string, failureThreshold: number) => ({
    httpGet: { path, port: 'http' },
    periodSeconds: 5,
    timeoutSeconds: 3,
    failureThreshold,
  })
  return {
    name: 'server',
    image: values.image,
    imagePullPolicy: 'IfNotPresent',
    env: Object.entries(plainVariables(values)).map(([variable, value]) => ({ name: variable, value })),
    envFrom: [{ secretRef: { name } }],
    ports: [{ name: 'http', containerPort: PORT }],
    startupProbe: probe('/healthz', 36),
    livenessProbe: probe('/healthz', 6),
    readinessProbe: probe('/readyz', 2),
    resources: { requests: { cpu: '500m', memory: '1Gi' }, limits: { memory: '3Gi' } },
    securityContext: RESTRICTED_CONTAINER,
    volumeMounts: [
      { name: 'data', mountPath: DATA },
      { name: 'temporary', mountPath: '/tmp' },
    ],
  }
}

/** https://kubernetes.io/docs/reference/kubernetes-api/ */
function makeKubernetes(values: ManifestValues): readonly ManifestDocument[] {
  const { replicas } = values
  // A service's name may not begin with a digit.
  const name = `vaani-${values.name}`
  const database = `${name}-postgres`
  const labels = { 'app.kubernetes.io/name': 'vaani-server', 'app.kubernetes.io/instance': name }
  const metadata = { name, labels }
  return [
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata,
      type: 'Opaque',
      stringData: secretVariables(values, database),
    },
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata,
      spec: {
        accessModes: [isShared(values) ? 'ReadWriteMany' : 'ReadWriteOnce'],
        resources: { requests: { storage: '20Gi' } },
      },
    },
    ...(isShared(values) ? makeDatabase(database, values) : []),
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: {
        replicas,
        selector: { matchLabels: labels },
        // A server beyond the seats would never be ready, and a volume may be for one server.
        strategy: isShared(values)
          ? { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } }
          : { type: 'Recreate' },
        template: {
          metadata: { labels },
          spec: {
            automountServiceAccountToken: false,
            enableServiceLinks: false,
            terminationGracePeriodSeconds: STOP_SECONDS,
            securityContext: {
              runAsNonRoot: true,
              runAsUser: USER_ID,
              runAsGroup: USER_ID,
              fsGroup: USER_ID,
              seccompProfile: { type: 'RuntimeDefault' },
            },
            containers: [describeServer(values, name)],
            volumes: [
              { name: 'data', persistentVolumeClaim: { claimName: name } },
              { name: 'temporary', emptyDir: {} },
            ],
          },
        },
      },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: { selector: labels, ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
    },
  ]
}

const RESTRICTED_CONTAINER = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
} as const

function makeDatabase(name: string, { databasePassword }: ManifestValues): readonly ManifestDocument[] {
  const labels = { 'app.kubernetes.io/name': 'postgres', 'app.kubernetes.io/instance': name }
  const metadata = { name, labels }
  const container = {
    name: 'postgres',
    image: DATABASE_IMAGE,
    env: [
      { name: 'POSTGRES_USER', value: DATABASE.user },
      { name: 'POSTGRES_DB', value: DATABASE.name },
    ],
    envFrom: [{ secretRef: { name } }],
    ports: [{ name: 'postgres', containerPort: DATABASE.port }],
    readinessProbe: {
      exec: {
        command: [
          'pg_isready',
          '--host=127.0.0.1',
          `--username=${DATABASE.user}`,
          `--dbname=${DATABASE.name}`,
        ],
      },
      periodSeconds: 5,
    },
    resources: { requests: { cpu: '250m', memory: '512Mi' }, limits: { memory: '2Gi' } },
    volumeMounts: [{ name: 'data', mountPath: DATABASE.data }],
  }
  return [
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata,
      type: 'Opaque',
      stringData: { POSTGRES_PASSWORD: databasePassword },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: {
        clusterIP: 'None',
        selector: labels,
        ports: [{ name: 'postgres', port: DATABASE.port, targetPort: 'postgres' }],
      },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata,
      spec: {
        serviceName: name,
        replicas: 1,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { automountServiceAccountToken: false, containers: [container] },
        },
        volumeClaimTemplates: [
          {
            metadata: { name: 'data' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '20Gi' } } },
          },
        ],
      },
    },
  ]
}
