import { expect, test } from 'vitest'
import { findNotInstalled } from './installs.ts'

const example = [
  '```ts example',
  "import { test } from 'node:test'",
  "import { createToneEngine } from '@vaani/speech/tone'",
  "import { streamSpeech } from '@vaani/speech'",
  "import fastify from 'fastify'",
  '```',
].join('\n')

test('names what the examples import and nobody says to install', () => {
  expect(findNotInstalled(`Run \`npm install fastify@5\`.\n${example}\n`)).toEqual(['@vaani/speech'])
  expect(findNotInstalled(`Run \`npm install fastify\`.\n${example}\n`)).toEqual(['@vaani/speech'])
})

test('takes fences and sentences', () => {
  const readme = `\`\`\`sh\nnpm install --save-dev @vaani/speech\n\`\`\`\n${example}\nAlso \`npm install fastify@5\`.`
  expect(findNotInstalled(readme)).toEqual([])
})
