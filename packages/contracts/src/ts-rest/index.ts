export * from '@ts-rest/core'
