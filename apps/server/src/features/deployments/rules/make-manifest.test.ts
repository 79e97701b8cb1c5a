import { describe, expect, test } from 'vitest'
import { parseAllDocuments, stringify } from 'yaml'
import { z } from 'zod'
import { makeManifest, type ManifestValues } from './make-manifest.ts'

const values: ManifestValues = {
  name: '1st',
  replicas: 1,
  image: 'registry.example/vaani:1',
  license: 'eyJ.a.b',
  issuerKey: 'key',
  revocationsUrl: 'https://vaani.example/enterprise/issuer?a=$HOME',
  encryptionKey: 'c2VjcmV0',
  databasePassword: 'hunter2',
}

const objectSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string().regex(/^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/) }),
})
const kinds = (replicas: number) =>
  makeManifest('kubernetes', { ...values, replicas }).map((document) => objectSchema.parse(document))

test.each(['docker', 'kubernetes'] as const)('the manifest for %s survives as YAML', (target) => {
  const documents = makeManifest(target, { ...values, replicas: 3 })
  const text = documents.map((document) => stringify(document)).join('---\n')
  const parsed = parseAllDocuments(text)
  expect(parsed.flatMap(({ errors }) => errors)).toEqual([])
  expect(parsed.map((document) => document.toJS())).toEqual(documents)
})

test('compose does not expand values', () => {
  const [document] = makeManifest('docker', values)
  expect(document).toMatchObject({
    services: {
      'vaani-1st': {
        environment: {
          VAANI_LICENSE: values.license,
          VAANI_LICENSE_REVOCATIONS_URL: 'https://vaani.example/enterprise/issuer?a=$$HOME',
        },
      },
    },
  })
})

describe('one server', () => {
  test('has its own database', () => {
    expect(JSON.stringify(makeManifest('docker', values))).not.toContain('hunter2')
    expect(JSON.stringify(kinds(1))).not.toContain('hunter2')
    expect(kinds(1).map(({ kind }) => kind)).toEqual([
      'Secret',
      'PersistentVolumeClaim',
      'Deployment',
      'Service',
    ])
  })

  test('is replaced before the next one starts, as both need the volume and the seat', () => {
    expect(kinds(1)[2]).toMatchObject({ spec: { replicas: 1, strategy: { type: 'Recreate' } } })
  })
})

describe('several servers', () => {
  test('share a database, and a port each for compose', () => {
    expect(makeManifest('docker', { ...values, replicas: 3 })).toMatchObject([
      {
        services: {
          'vaani-1st': {
            deploy: { replicas: 3 },
            ports: ['8080-8082:8080'],
            environment: { DATABASE_URL: 'postgres://vaani:hunter2@postgres:5432/vaani' },
            depends_on: { postgres: { condition: 'service_healthy' } },
          },
          postgres: { environment: { POSTGRES_PASSWORD: 'hunter2' } },
        },
      },
    ])
  })

  test('never start beyond their seats', () => {
    const objects = kinds(3)
    const names = new Map(objects.map(({ kind, metadata }) => [`${kind} ${metadata.name}`, kind]))
    expect([...names.keys()]).toEqual([
      'Secret vaani-1st',
      'PersistentVolumeClaim vaani-1st',
      'Secret vaani-1st-postgres',
      'Service vaani-1st-postgres',
      'StatefulSet vaani-1st-postgres',
      'Deployment vaani-1st',
      'Service vaani-1st',
    ])
    expect(objects[0]).toMatchObject({
      stringData: { DATABASE_URL: 'postgres://vaani:hunter2@vaani-1st-postgres:5432/vaani' },
    })
    expect(objects[5]).toMatchObject({
      spec: { replicas: 3, strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } },
    })
  })

  test('keep secrets out of everything but Secret objects', () => {
    const others = JSON.stringify(kinds(3).filter(({ kind }) => kind !== 'Secret'))
    for (const secret of [values.license, values.encryptionKey, values.databasePassword])
      expect(others).not.toContain(secret)
  })
})
